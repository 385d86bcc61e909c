package simulator

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ownNamespace is where Argo CD itself runs: the namespace of an application that is asked for without one.
const ownNamespace = "argocd"

// Name is the name of an application.
type Name struct{ Namespace, Name string }

// String is "web", or "team-a/web" outside of Argo CD's own namespace.
func (n Name) String() string {
	if n.Namespace == ownNamespace || n.Namespace == "" {
		return n.Name
	}
	return n.Namespace + "/" + n.Name
}

// application is one application at one moment. It is never changed, so whoever has it may read it at leisure: what happens
// to an application makes another value of it.
type application struct {
	Name
	// what is known of it, often shared with other applications that were made of the same case.
	*document
	// recordedAs is what its case calls it; nil where it has that name here, too.
	recordedAs *metav1.ObjectMeta
	// git is what a sync applies.
	git git
	// operation is the number of its last operation, so that one that ends late does not end another.
	operation int
}

// object is the application as Argo CD answers it. It must not be changed: it shares most of itself with the case.
func (a *application) object() *v1alpha1.Application {
	if a.recordedAs == nil {
		return a.Application
	}
	app := *a.Application
	app.Name, app.Namespace, app.UID = a.Name.Name, a.Namespace, a.uid()
	return &app
}

// uid looks like one of Kubernetes, and is the same for the same name each time.
func (a *application) uid() types.UID {
	h := sha256.Sum256([]byte(a.Namespace + "/" + a.Name.Name))
	return types.UID(fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16]))
}

// manifest is a live or desired object of this application: of one that shares its case, the marks by which Argo CD tells
// whose it is are changed.
func (a *application) manifest(text string) string {
	if a.recordedAs == nil || !strings.Contains(text, a.recordedAs.Name) {
		return text
	}
	var object map[string]any
	if json.Unmarshal([]byte(text), &object) != nil {
		return text
	}
	metadata, _ := object["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if labels["app.kubernetes.io/instance"] == a.recordedAs.Name {
		labels["app.kubernetes.io/instance"] = a.Name.Name
	}
	const tracking = "argocd.argoproj.io/tracking-id"
	if id, _ := annotations[tracking].(string); strings.HasPrefix(id, a.recordedAs.Name+":") {
		annotations[tracking] = a.Name.Name + strings.TrimPrefix(id, a.recordedAs.Name)
	}
	out, err := json.Marshal(object)
	if err != nil {
		return text
	}
	return string(out)
}

// changed is the application after an edit, with a resource version of its own. The edit may change the Application as a
// whole; of the other parts it must make copies.
func (a *application) changed(edit func(*application)) *application {
	next, d := *a, *a.document
	d.Application = a.object().DeepCopy()
	version, _ := strconv.Atoi(d.Application.ResourceVersion) // 0 where the case has none
	d.Application.ResourceVersion = strconv.Itoa(version + 1)
	next.document = &d
	edit(&next)
	return &next
}

// applications are all of them, in the order in which they came.
type applications struct {
	list []*application
	at   map[Name]int
}

func (a *applications) get(name Name) *application {
	if i, ok := a.at[name]; ok {
		return a.list[i]
	}
	return nil
}

// set takes an application in, in place of the one of the same name.
func (a *applications) set(app *application) (replaced bool) {
	if i, ok := a.at[app.Name]; ok {
		a.list[i] = app
		return true
	}
	if a.at == nil {
		a.at = map[Name]int{}
	}
	a.at[app.Name] = len(a.list)
	a.list = append(a.list, app)
	return false
}

func (a *applications) remove(name Name) *application {
	i, ok := a.at[name]
	if !ok {
		return nil
	}
	app := a.list[i]
	a.list = slices.Delete(a.list, i, i+1)
	delete(a.at, name)
	for j := i; j < len(a.list); j++ {
		a.at[a.list[j].Name] = j
	}
	return app
}

// named finds an application as Argo CD does: without a namespace in its own. Those that a case puts elsewhere are found
// there, too, so that a case can be asked about by its name alone.
func (a *applications) named(name, namespace string) *application {
	if namespace != "" {
		return a.get(Name{namespace, name})
	}
	if app := a.get(Name{ownNamespace, name}); app != nil {
		return app
	}
	for _, app := range a.list {
		if app.Name.Name == name {
			return app
		}
	}
	return nil
}

// clock is as Kubernetes writes it: in seconds.
func (s *Server) clock() metav1.Time { return metav1.NewTime(s.now().UTC().Truncate(1e9)) }
