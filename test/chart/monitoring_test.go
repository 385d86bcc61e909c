package chart_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"
	corev1 "k8s.io/api/core/v1"
)

// TestAlertsAskForWhatTheBotMeasures, in expressions that Prometheus reads, and docs/operations.md says what to do about each.
func TestAlertsAskForWhatTheBotMeasures(t *testing.T) {
	known := metrics(t)
	all := decode(t, mustRender(t, valuesOf(t)["everything"]))
	page := read(t, "../../docs/operations.md")
	rules := one[*monitoringv1.PrometheusRule](t, all, "argo-why").Spec.Groups[0].Rules
	for _, r := range rules {
		t.Run(r.Alert, func(t *testing.T) {
			expr := r.Expr.String()
			known.check(t, expr)
			if !strings.Contains(expr, `{job="argo-why-metrics",namespace="argo-why"`) && !strings.Contains(expr, `{namespace="argo-why",job="argo-why-metrics"`) {
				t.Errorf("asks for other releases, too: %s", expr)
			}
			if !slices.Contains([]string{"warning", "critical"}, r.Labels["severity"]) || r.Labels["team"] != "platform" {
				t.Errorf("labels %v", r.Labels)
			}
			if r.Annotations["summary"] == "" || r.Annotations["description"] == "" || !strings.HasSuffix(r.Annotations["runbook_url"], "#"+strings.ToLower(r.Alert)) {
				t.Errorf("annotations %v", r.Annotations)
			}
			if !strings.Contains(page, "\n#### "+r.Alert+"\n") {
				t.Errorf("docs/operations.md has no section %s", r.Alert)
			}
		})
	}
	if len(rules) < 10 {
		t.Errorf("%d alerts", len(rules))
	}
}

// TestTheServiceMonitorFindsTheMetrics: its job is in the alerts.
func TestTheServiceMonitorFindsTheMetrics(t *testing.T) {
	all := decode(t, mustRender(t, valuesOf(t)["everything"]))
	monitor, service := one[*monitoringv1.ServiceMonitor](t, all, "argo-why"), one[*corev1.Service](t, all, "argo-why-metrics")
	for key, value := range monitor.Spec.Selector.MatchLabels {
		if service.Labels[key] != value {
			t.Errorf("selects %s=%s", key, value)
		}
	}
	if monitor.Spec.Endpoints[0].Port != service.Spec.Ports[0].Name || monitor.Labels["release"] != "prometheus" {
		t.Errorf("%+v", monitor)
	}
}

// TestTheDashboardShowsWhatTheBotMeasures.
func TestTheDashboardShowsWhatTheBotMeasures(t *testing.T) {
	known := metrics(t)
	all := decode(t, mustRender(t, valuesOf(t)["everything"]))
	config := one[*corev1.ConfigMap](t, all, "argo-why-dashboard")
	if config.Labels["grafana_dashboard"] != "1" || config.Annotations["grafana_folder"] == "" {
		t.Errorf("%+v", config.ObjectMeta)
	}
	var dashboard struct {
		Panels []struct {
			Title, Type, Description string
			GridPos                  struct{ H, W, X, Y int }
			Targets                  []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(config.Data["argo-why.json"]), &dashboard); err != nil {
		t.Fatal(err)
	}
	taken := map[[2]int]string{}
	for _, p := range dashboard.Panels {
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("panel %q covers %q, or the edge", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		if p.Type != "row" && (len(p.Targets) == 0 || p.Description == "") {
			t.Errorf("panel %q shows or says nothing", p.Title)
		}
		for _, target := range p.Targets {
			known.check(t, strings.ReplaceAll(target.Expr, "$__rate_interval", "5m"))
		}
	}
	if len(dashboard.Panels) < 15 {
		t.Errorf("%d panels", len(dashboard.Panels))
	}
}

// check fails where an expression cannot be read, or asks for a metric or a label that does not exist.
func (m registered) check(t *testing.T, text string) {
	t.Helper()
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(text)
	if err != nil {
		t.Errorf("%v in %s", err, text)
		return
	}
	var of []string // the labels of all metrics of the expression
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		selector, ok := node.(*parser.VectorSelector)
		if !ok {
			return nil
		}
		names, ok := m[selector.Name]
		if !ok {
			t.Errorf("the bot has no metric %s: %s", selector.Name, text)
		}
		for _, by := range selector.LabelMatchers {
			if by.Name != model.MetricNameLabel && !slices.Contains(names, by.Name) {
				t.Errorf("%s has no label %s: %s", selector.Name, by.Name, text)
			}
		}
		of = append(of, names...)
		return nil
	})
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if sum, ok := node.(*parser.AggregateExpr); ok {
			for _, label := range sum.Grouping {
				if !slices.Contains(of, label) {
					t.Errorf("nothing has the label %s: %s", label, text)
				}
			}
		}
		return nil
	})
}
