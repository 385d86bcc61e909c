package message

import "testing"

// TestCall: the wrapper decides what failed, whatever is said within.
func TestCall(t *testing.T) {
	const rpc = "rpc error: code = Unknown desc = "
	for said, want := range map[string]Call{
		rpc + "failed to list refs: authentication required": CallGit,
		rpc + "rpc error: code = Internal desc = Failed to fetch default: `git fetch origin --tags` failed exit status 128: fatal: early EOF":                                           CallGit,
		rpc + "`git submodule update --init` failed exit status 1: fatal: could not read Username":                                                                                      CallGitExtra,
		rpc + "`kustomize build .` failed exit status 1: failed to run '/usr/bin/git fetch --depth=1 https://git.example.com/base v9': fatal: couldn't find remote ref v9":              CallKustomize,
		rpc + "`/custom-tools/kustomize_4_0_5 build .` failed exit status 1: Error: x":                                                                                                  CallKustomize,
		rpc + "`helm chart pull registry.example.com/web:1` failed exit status 1: Error: x":                                                                                             CallCharts,
		rpc + "`helm dependency build` failed exit status 1: Error: could not download oci://registry.example.com/x":                                                                    CallDependency,
		rpc + "failed to execute helm template command: `helm template .` failed exit status 1: Error: repository not found":                                                            CallHelm,
		rpc + "error resolving helm value files: source referenced \"$values\", but no source has a 'ref' field defined":                                                                CallHelm,
		rpc + "expected only a single oci content layer, got 2":                                                                                                                         CallCharts,
		rpc + "plugin sidecar failed. error generating manifests in cmp: " + rpc + "error generating manifests: `sh -c \"helmfile template\"` failed exit status 1: deadline exceeded":  CallPlugin,
		rpc + "plugin sidecar failed. error generating manifests in cmp: " + rpc + "error generating manifests: `sh -c \"kustomize build . | avp generate -\"` failed exit status 1: x": CallPlugin,
		rpc + "apps/web: app path does not exist": CallUnknown,
	} {
		if f := Parse("Failed to load target state: failed to generate manifest for source 1 of 1: " + said); f.Call != want {
			t.Errorf("%s\nis of the call %q, want %q", said, f.Call, want)
		}
	}
}

func TestSplit(t *testing.T) {
	got := Split("ComparisonError: a; b;ComparisonError: c;InvalidSpecError: d")
	if len(got) != 3 || got[0] != "ComparisonError: a; b" || got[2] != "InvalidSpecError: d" {
		t.Errorf("%q", got)
	}
	if got := Split("one or more tasks failed"); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

func TestColoursAreIgnored(t *testing.T) {
	if f := Parse("`kustomize build .` failed exit status 1: \x1b[31mError:\x1b[0m no such file"); f.Core() != "no such file" {
		t.Errorf("%q", f.Core())
	}
}
