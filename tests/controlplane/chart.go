package controlplane

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
	"github.com/modelplane-go/modelplane/tests/tools"
)

// The chart that stands in for Traefik's.
const (
	chartName    = "traefik"
	chartVersion = "40.1.0"
)

// serveCharts serves a repository of charts, and returns its URL.
func (f *Fleet) serveCharts(ctx context.Context) (string, error) {
	files, err := f.programs.chart()
	if err != nil {
		return "", err
	}
	chart, err := archive(files)
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

// chart is the files of the chart: ours, and the CRDs that Traefik's brings.
func (p *Programs) chart() (map[string]string, error) {
	out := map[string]string{}
	ours := filepath.Join(p.Root, "tests", "controlplane", "chart")
	for _, name := range []string{"Chart.yaml", "values.yaml", "templates/deployment.yaml", "templates/service.yaml"} {
		b, err := os.ReadFile(filepath.Join(ours, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("cannot read a chart: %w", err)
		}
		out[name] = strings.ReplaceAll(string(b), "CHART_VERSION", chartVersion)
	}
	crds, err := filepath.Glob(p.file(tools.Traefik(), "docs", "content", "reference", "dynamic-configuration", "traefik.io_*.yaml"))
	if err != nil || len(crds) == 0 {
		return nil, errors.Join(errors.New("cannot find the CRDs of Traefik"), err)
	}
	for _, path := range append(p.gatewayCRDs(), crds...) {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("cannot read a CRD: %w", err)
		}
		out["crds/"+filepath.Base(path)] = string(b)
	}
	return out, nil
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
