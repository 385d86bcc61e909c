package redact

import (
	"strings"
	"testing"
)

func TestTheLiteralsOfASecretGeneratorAreHidden(t *testing.T) {
	v := fake("", alnum, 12)
	for _, form := range []string{
		"secretGenerator:\n- name: db\n  literals:\n  - user=§\n  - \"anything=§\"\nresources:\n- name=x.yaml\n",
		"error: invalid Kustomization: secretGenerator:\n  - name: db\n    literals:\n      - user=§\n",
		"  secretGenerator:\n    - literals: \n        - user=§\n  images:\n    - name: a=b\n",
	} {
		in, want := strings.ReplaceAll(form, "§", v), strings.ReplaceAll(form, "§", Replacement)
		if got := String(in); got != want {
			t.Errorf("\n  of %q\n got %q\nwant %q", in, got, want)
		}
	}
	for _, s := range []string{"configMapGenerator:\n- literals:\n  - a=bcdef\n", "secretGenerator:\n- name: db\n  files:\n  - a.env\n", "secretGenerator: is not supported"} {
		if got := String(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}

func TestASopsSecretIsHiddenLikeASecret(t *testing.T) {
	v := fake("", alnum, 12)
	in := "kind: SopsSecret\nspec:\n  secretTemplates:\n  - name: x\n    stringData:\n      foo: " + v + "\n"
	if got, want := String(in), strings.ReplaceAll(in, v, Replacement); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
