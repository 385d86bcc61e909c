package diagnose

import "github.com/argo-why/argo-why/internal/evidence"

// Nested reports whether this is the diagnosis of a child inside of that of its parent.
func Nested(in *In) bool { return in.run.nested }

// Alone diagnoses another application from nothing but the Application itself, with the same rules and the same clock: what
// an app of apps can tell of a child at the cost of one call. It goes one level deep, and is nil below that.
func (in *In) Alone(app *evidence.Application) *Report {
	if in.run.nested || app == nil {
		return nil
	}
	r := in.run.engine.start(in.run.ctx, (&evidence.Case{Application: app}).Source(), in.run.now)
	r.nested, r.work = true, in.run.work
	rep, err := r.diagnose()
	if err != nil {
		return nil
	}
	return rep
}
