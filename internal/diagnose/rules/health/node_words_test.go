package health

import "testing"

func TestContainerThatUsedMostAboveItsRequest(t *testing.T) {
	for said, want := range map[string]string{
		"The node was low on resource: ephemeral-storage. Container sidecar was using 12Ki, request is 0, has larger consumption of ephemeral-storage. Container app was using 2Gi, request is 1Gi, has larger consumption of ephemeral-storage. ": "app",
		"The node was low on resource: memory. Container cache was using 300Mi, which exceeds its request of 200Mi. Container api was using 900Mi, which exceeds its request of 850Mi. ":                                                           "cache",
		"The node had condition: [DiskPressure]. ": "",
	} {
		if got := largestExcess(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestPlugInIsNamed(t *testing.T) {
	for said, want := range map[string]string{
		`plugin type="antrea" name="antrea" failed (add): rpc error: code = Unavailable desc = connection error: desc = "transport: dial unix /var/run/antrea/cni.sock: connect: connection refused"`: "Antrea does not answer on the node",
		`plugin type="weave-net" name="weave" failed (add): unable to allocate IP address: Post "http://127.0.0.1:6784/ip/1": dial tcp 127.0.0.1:6784: connect: connection refused`:                   "Weave Net does not run on the node",
		`plugin type="calico" failed (add): Get "https://10.0.0.1:443/api/v1/namespaces/x": dial tcp 10.0.0.1:443: connect: no route to host`:                                                         "Calico cannot reach the API server",
		`plugin type="bridge" failed (add): failed to find plugin "host-local" in path [/opt/cni/bin]`:                                                                                                "plug-in host-local is missing on the node",
		`plugin type="mynet" failed (add): netplugin failed`: networkFails,
	} {
		if got := sandboxFailure(said).short; got != want {
			t.Errorf("%s\n got %q\nwant %q", said, got, want)
		}
	}
}
