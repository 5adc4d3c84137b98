package controlplane

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"path"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// The chart that stands in for Traefik's.
const (
	chartName    = "traefik"
	chartVersion = "40.1.0"

	chartYAML = `apiVersion: v2
name: traefik
version: ` + chartVersion + `
description: A stand-in for the chart of the same name. It installs a Service that leads nowhere.
`
	chartService = `apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
  annotations: {modelplane.ai/stand-in: "true"}
spec:
  type: {{ .Values.service.type | default "LoadBalancer" }}
  ports:
  - {name: web, port: 80}
`
)

// serveCharts serves a repository of charts, and returns its URL.
func (f *Fleet) serveCharts(ctx context.Context) (string, error) {
	chart, err := archive(map[string]string{"Chart.yaml": chartYAML, "values.yaml": "service: {}\n", "templates/service.yaml": chartService})
	if err != nil {
		return "", err
	}
	file := chartName + "-" + chartVersion + ".tgz"
	index := fmt.Sprintf("apiVersion: v1\nentries:\n  %s:\n  - {apiVersion: v2, name: %s, version: %s, urls: [%s]}\n", chartName, chartName, chartVersion, file)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /index.yaml", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(index)) })
	mux.HandleFunc("GET /"+file, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(chart) })
	address, err := f.serve(ctx, mux)
	return "http://" + address, err
}

// archive the files of a chart.
func archive(files map[string]string) ([]byte, error) {
	out := &bytes.Buffer{}
	z := gzip.NewWriter(out)
	t := tar.NewWriter(z)
	for name, content := range files {
		if err := t.WriteHeader(&tar.Header{Name: path.Join(chartName, name), Mode: 0o644, Size: int64(len(content))}); err != nil {
			return nil, fmt.Errorf("cannot archive %s: %w", name, err)
		}
		if _, err := t.Write([]byte(content)); err != nil {
			return nil, fmt.Errorf("cannot archive %s: %w", name, err)
		}
	}
	if err := t.Close(); err != nil {
		return nil, fmt.Errorf("cannot archive: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("cannot archive: %w", err)
	}
	return out.Bytes(), nil
}

// InferenceGateway is the fleet's front door, of a chart that can be reached.
func (f *Fleet) InferenceGateway() *v1alpha1.InferenceGateway {
	return &v1alpha1.InferenceGateway{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.KindInferenceGateway},
		ObjectMeta: metav1.ObjectMeta{Name: "default"},
		Spec: v1alpha1.InferenceGatewaySpec{
			Backend: v1alpha1.BackendTraefik,
			Traefik: &v1alpha1.Traefik{Repository: f.charts, Version: chartVersion},
		},
	}
}
