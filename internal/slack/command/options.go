package command

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/near"
)

// What an option is about.
const (
	namespaceOption = "namespace"
	instanceOption  = "instance"
	projectFilter   = "project"
	ruleFilter      = "rule"
	clusterFilter   = "cluster"
	labelFilter     = "label"
	pageOption      = "page"
)

// options are the words for what can be named beside the application, and for the filters of a list: "project:NAME", "--project
// NAME", and those of one letter as "-p NAME", like argocd and kubectl have them.
var options = map[string]string{
	"n": namespaceOption, "ns": namespaceOption, "namespace": namespaceOption, "app-namespace": namespaceOption,
	"i": instanceOption, "instance": instanceOption,
	"p": projectFilter, "project": projectFilter,
	"rule": ruleFilter,
	"c":    clusterFilter, "cluster": clusterFilter,
	"l": labelFilter, "label": labelFilter, "labels": labelFilter, "selector": labelFilter,
	"page": pageOption,
}

// Filters are those of a list as they are explained.
const Filters = "`project:NAME`, `rule:RULE`, `cluster:NAME`, `label:KEY=VALUE`, `instance:NAME` or `namespace:NAME`"

// meaning is what a key is about, "" for none. One letter needs a dash.
func meaning(key string) string {
	long := strings.ToLower(strings.TrimLeft(key, "-"))
	if len(long) == 1 && !strings.HasPrefix(key, "-") {
		return ""
	}
	return options[long]
}

// option is a word that names something beside the application.
type option struct {
	key   string // as it was written: "project:", "-p"
	what  string
	value string
}

// cut reads a word as an option: one with a dash in front, or a key and its value.
func cut(word string) (o option, ok bool) {
	o.key = word
	if at := strings.IndexAny(word, ":="); at > 0 {
		o.key, o.value, ok = word[:at+1], word[at+1:], true
	}
	o.what = meaning(strings.TrimRight(o.key, ":="))
	return o, strings.HasPrefix(word, "-") || ok && o.what != ""
}

func isOption(word string) bool {
	o, ok := cut(word)
	return ok && o.what != ""
}

// split tells options from other words.
func split(words []string) (chosen, others []string) {
	for _, w := range words {
		if isOption(w) {
			chosen = append(chosen, w)
		} else {
			others = append(others, w)
		}
	}
	return chosen, others
}

// take reads the options out of the words and returns the others.
func (c *Command) take(words []string) (rest []string, reply string) {
	for i := 0; i < len(words); i++ {
		o, ok := cut(words[i])
		switch {
		case c.Verb == List && strings.EqualFold(strings.TrimLeft(words[i], "-"), "public"):
			c.Public = true
			continue
		case !ok && (c.Verb != List || o.key == words[i]):
			rest = append(rest, words[i])
			continue
		case o.what == "":
			return nil, c.noOption(o)
		case c.Verb != List && o.what != namespaceOption && o.what != instanceOption:
			return nil, fmt.Sprintf("%s is a filter of `list`. Use `-n NAMESPACE` or `instance:NAME`.", Code(o.key))
		case o.value == "" && i+1 < len(words) && !isOption(words[i+1]):
			i++
			o.value = words[i]
		}
		if reply := c.set(o); reply != "" {
			return nil, reply
		}
	}
	return rest, ""
}

// noOption says which options there are.
func (c *Command) noOption(o option) string {
	if c.Verb != List {
		return fmt.Sprintf("There is no option %s. Use `-n NAMESPACE` or `instance:NAME`.", Code(o.key))
	}
	said := fmt.Sprintf("There is no filter %s.", Code(o.key))
	key := strings.Trim(o.key, "-:=")
	if meant := near.Nearest(key, []string{projectFilter, ruleFilter, clusterFilter, labelFilter, instanceOption, namespaceOption}); meant != "" {
		return said + " Did you mean " + Code(meant+":"+o.value) + "?"
	}
	if strings.HasSuffix(o.key, "=") {
		return said + " Did you mean " + Code("label:"+o.key+o.value) + "?"
	}
	return said + " Filters: " + Filters + "."
}

// maxLabels is as many as a button has room for.
const maxLabels = 3

// The forms of values. Those with large counts take long to compile, and are when somebody uses them.
var (
	ruleID = regexp.MustCompile(`^[a-z0-9-]+(/[a-z0-9-]+)?$`)
	// label is less strict than Kubernetes is: what cannot be is not there either.
	label = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z0-9][-A-Za-z0-9_./]{0,316}(=[-A-Za-z0-9_.]{0,63})?$`)
	})
	// cluster is a name, which Argo CD does not limit, or an address.
	cluster = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^\s/][^\s]{0,252}$`) })
)

// set takes an option over.
func (c *Command) set(o option) (reply string) {
	lower := strings.ToLower(o.value)
	switch o.what {
	case pageOption:
		n, err := strconv.Atoi(o.value)
		if err != nil || n < 1 {
			return fmt.Sprintf("%s must be followed by a number, such as `page:2`.", Code(o.key))
		}
		c.Page = n
	case labelFilter:
		if !label().MatchString(o.value) {
			return fmt.Sprintf("%s must be followed by `KEY=VALUE` or `KEY`.", Code(o.key))
		}
		if slices.Contains(c.Filter.Labels, o.value) {
			return ""
		}
		if c.Filter.Labels = append(c.Filter.Labels, o.value); len(c.Filter.Labels) > maxLabels {
			return fmt.Sprintf("At most %d labels at a time.", maxLabels)
		}
	case ruleFilter:
		id := strings.TrimSuffix(strings.TrimSuffix(lower, "*"), "/")
		if !ruleID.MatchString(id) {
			return fmt.Sprintf("%s must be followed by the ID of a rule, such as `hook/job-failed`, or of a group, such as `hook`.", Code(o.key))
		}
		return once(o.what, &c.Filter.Rule, id)
	case clusterFilter:
		address := strings.TrimPrefix(strings.TrimPrefix(o.value, "https://"), "http://")
		if !cluster().MatchString(address) {
			return fmt.Sprintf("%s must be followed by the name or the address of the cluster.", Code(o.key))
		}
		return once(o.what, &c.Filter.Cluster, address)
	default:
		if !name().MatchString(lower) {
			return fmt.Sprintf("%s must be followed by the name of the %s.", Code(o.key), o.what)
		}
		field := map[string]*string{namespaceOption: &c.Target.Namespace, instanceOption: &c.Target.Instance, projectFilter: &c.Filter.Project}[o.what]
		return once(o.what, field, lower)
	}
	return ""
}

// once sets what can be named once.
func once(what string, field *string, value string) (reply string) {
	if *field != "" && *field != value {
		return fmt.Sprintf("You named two %ss, %s and %s. Which one?", what, Code(*field), Code(value))
	}
	*field = value
	return ""
}
