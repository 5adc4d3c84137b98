package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
)

// GatewayAPI is the module that holds the Gateway API's CRDs.
const GatewayAPI = "sigs.k8s.io/gateway-api"

// ModuleDir returns the folder of the module cache that holds a module's files,
// at the version that is pinned for tests, and downloads it if it is not there. It
// is how the files a program is released with are had: its CRDs, webhook
// configurations, package. The folder is not to be written to.
//
// The modules are those of the tools (the Requires of each), and GatewayAPI.
func ModuleDir(ctx context.Context, module string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	dir, err := pinnedIn(root, module)
	if err != nil {
		return "", err
	}
	v, err := version(dir, module)
	if err != nil {
		return "", fmt.Errorf("cannot tell the version of %s: %w", module, err)
	}

	out, err := run(ctx, dir, []string{"GOWORK=off"}, "mod", "download", "-json", module+"@"+v)
	if err != nil {
		return "", fmt.Errorf("cannot download %s %s: %w\n%s\nCheck that `go env GOPROXY` names a proxy this machine reaches", module, v, err, out)
	}
	var m struct {
		Dir string `json:"dir"`
	}
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		return "", fmt.Errorf("cannot read what go says of %s: %w\n%s", module, err, out)
	}
	if m.Dir == "" {
		return "", fmt.Errorf("cannot find the folder of %s %s in the module cache", module, v)
	}
	return m.Dir, nil
}

// pinnedIn returns the folder whose go.mod pins a module.
func pinnedIn(root, module string) (string, error) {
	// The CRDs tests have are those of the routes our functions write.
	if module == GatewayAPI {
		return filepath.Join(root, "functions"), nil
	}
	all := All()
	i := slices.IndexFunc(all, func(t Tool) bool { return t.Requires == module })
	if i < 0 {
		return "", fmt.Errorf("cannot find module %s: no upstream tool is of it", module)
	}
	return all[i].dir(root), nil
}
