module github.com/argo-why/argo-why/tools/licenses

go 1.26.0

toolchain go1.26.8
