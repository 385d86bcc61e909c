package kube

// CurrentContext is the name of the context that kubectl uses; "" if there is none.
func CurrentContext() string {
	config, err := Open(Options{}).kubeconfig()
	if err != nil {
		return ""
	}
	return config.CurrentContext
}
