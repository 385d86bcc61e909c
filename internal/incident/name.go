package incident

import "cmp"

// Compare orders applications: by instance, namespace, name.
func Compare(a, b App) int {
	return cmp.Or(cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}
