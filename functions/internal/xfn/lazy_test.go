package xfn

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/crossplane/function-sdk-go/logging"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/modelplane-go/modelplane/functions/internal/xfntest"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// request has of everything that UnmarshalRequest treats in its own way, and of
// what it does not.
func request(t testing.TB) *fnv1.RunFunctionRequest {
	t.Helper()
	fleet := xfntest.Fleet{Clusters: 3, Charges: 30}
	req := xfntest.World{
		Composite: `{metadata: {name: a, managedFields: [{manager: m}], labels: {managedFields: label}}, spec: {managedFields: {a: 1}}}`,
		Observed: map[string]any{
			"replica": `{metadata: {managedFields: [], name: b}, managedFields: here}`,
			"odd":     `{metadata: no object, spec: {list: [1, {a: null}]}}`,
			"nothing": `{}`,
		},
		Required: map[string][]any{"none": {}},
	}.Request(t)
	req.Meta = &fnv1.RequestMeta{Tag: "tag"}
	req.Context = &structpb.Struct{Fields: map[string]*structpb.Value{"metadata": structpb.NewBoolValue(true)}}
	req.Credentials = map[string]*fnv1.Credentials{"c": {}}
	req.GetObserved().GetResources()["replica"].ConnectionDetails = map[string][]byte{"metadata": []byte("x")}
	all := &fnv1.Resources{}
	for i := range fleet.Clusters {
		all.Items = append(all.Items, &fnv1.Resource{Resource: fleet.Cluster(t, i), Ready: fnv1.Ready_READY_TRUE})
	}
	req.RequiredResources["all"] = all
	req.RequiredResources["one"] = &fnv1.Resources{Items: all.GetItems()[:1]}
	req.RequiredResources["bare"] = &fnv1.Resources{Items: []*fnv1.Resource{{}}}
	return req
}

// TestUnmarshalRequest compares what it leaves of a request with what
// proto.Unmarshal does.
func TestUnmarshalRequest(t *testing.T) {
	b, err := proto.Marshal(request(t))
	if err != nil {
		t.Fatal(err)
	}
	got := &fnv1.RunFunctionRequest{}
	if err := UnmarshalRequest(b, got); err != nil {
		t.Fatal(err)
	}
	if len(got.GetRequiredResources()) > 0 {
		t.Error("UnmarshalRequest: required resources were unmarshalled")
	}

	// Marshalled and unmarshalled again, nothing is missing but managedFields.
	if b, err = proto.Marshal(got); err != nil {
		t.Fatal(err)
	}
	got = &fnv1.RunFunctionRequest{}
	if err := proto.Unmarshal(b, got); err != nil {
		t.Fatal(err)
	}
	want := request(t)
	forget(want.GetObserved().GetComposite())
	for _, r := range want.GetObserved().GetResources() {
		forget(r)
	}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("UnmarshalRequest: -want, +got:\n%s", diff)
	}
}

func forget(r *fnv1.Resource) {
	delete(r.GetResource().GetFields()["metadata"].GetStructValue().GetFields(), "managedFields")
}

// TestRequireUnread requires the same of a request that was unmarshalled either
// way.
func TestRequireUnread(t *testing.T) {
	b, err := proto.Marshal(request(t))
	if err != nil {
		t.Fatal(err)
	}
	lazy := &fnv1.RunFunctionRequest{}
	if err := UnmarshalRequest(b, lazy); err != nil {
		t.Fatal(err)
	}

	states := map[string]State{"all": Present, "one": Present, "bare": Present, "none": Absent, "other": Unresolved}
	for key, state := range states {
		t.Run(key, func(t *testing.T) {
			want := require(t, request(t), key)
			if want.State != state {
				t.Errorf("Require: want state %d, got %d", state, want.State)
			}
			if diff := cmp.Diff(want, require(t, lazy, key)); diff != "" {
				t.Errorf("Require: -want, +got:\n%s", diff)
			}
		})
	}
}

func require(t *testing.T, req *fnv1.RunFunctionRequest, key string) Answer[v1alpha1.InferenceCluster] {
	t.Helper()
	a, err := Require[v1alpha1.InferenceCluster](newCall(req), key, Selector{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestUnmarshalRequestBroken breaks the bytes of a request. They are refused, then
// or when they are read, or say something else; nothing panics.
func TestUnmarshalRequestBroken(t *testing.T) {
	b, err := proto.Marshal(request(t))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(b); i += 101 {
		broken := append([]byte(nil), b...)
		broken[i] ^= 1 << (i % 8)
		for _, bytes := range [][]byte{b[:i], broken} {
			req := &fnv1.RunFunctionRequest{}
			if err := UnmarshalRequest(bytes, req); err != nil {
				continue
			}
			for _, key := range []string{"all", "one", "none"} {
				_, _ = Require[v1alpha1.InferenceCluster](newCall(req), key, Selector{})
			}
		}
	}

	// What is broken inside of a required resource shows when it is read.
	req := &fnv1.RunFunctionRequest{}
	entry := protowire.AppendBytes(protowire.AppendTag(nil, fieldKey, protowire.BytesType), []byte("clusters"))
	entry = protowire.AppendBytes(protowire.AppendTag(entry, fieldValue, protowire.BytesType), []byte{0xff})
	if err := UnmarshalRequest(protowire.AppendBytes(protowire.AppendTag(nil, fieldRequiredResources, protowire.BytesType), entry), req); err != nil {
		t.Fatal(err)
	}
	rsp := Run(func(c *Call) error {
		_, err := Require[v1alpha1.InferenceCluster](c, "clusters", Selector{Kind: "InferenceCluster"})
		return err
	}, req)
	if want := `cannot read required InferenceCluster of "clusters": `; len(rsp.GetResults()) != 1 || !strings.HasPrefix(rsp.GetResults()[0].GetMessage(), want) {
		t.Errorf("Run: want %q..., got %v", want, rsp.GetResults())
	}
}

// TestServe has a function called over gRPC, as main serves it.
func TestServe(t *testing.T) {
	var got Answer[v1alpha1.InferenceCluster]
	s := NewServer(logging.NewNopLogger(), func(c *Call) error {
		var err error
		got, err = Require[v1alpha1.InferenceCluster](c, "all", Selector{})
		if len(c.req.GetRequiredResources()) > 0 {
			t.Error("required resources were unmarshalled")
		}
		return err
	})

	useLazyCodec()
	lis := bufconn.Listen(mebibyte)
	server := grpc.NewServer()
	fnv1.RegisterFunctionRunnerServiceServer(server, s)
	go func() { _ = server.Serve(lis) }()
	defer server.Stop()

	conn, err := grpc.NewClient("passthrough:///test", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return lis.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	rsp, err := fnv1.NewFunctionRunnerServiceClient(conn).RunFunction(t.Context(), request(t))
	if err != nil || rsp.GetMeta().GetTag() != "tag" {
		t.Fatalf("RunFunction: got %v, %v", rsp, err)
	}
	if diff := cmp.Diff(require(t, request(t), "all"), got); diff != "" {
		t.Errorf("Require: -want, +got:\n%s", diff)
	}
}

// TestFieldNumbers compares the numbers of fields with those of the protocol.
func TestFieldNumbers(t *testing.T) {
	var (
		req      = (&fnv1.RunFunctionRequest{}).ProtoReflect().Descriptor()
		state    = (&fnv1.State{}).ProtoReflect().Descriptor()
		object   = (&structpb.Struct{}).ProtoReflect().Descriptor()
		required = req.Fields().ByName("required_resources")
	)
	cases := map[string]struct {
		of   protoreflect.MessageDescriptor
		want protowire.Number
	}{
		"observed":           {of: req, want: fieldObserved},
		"required_resources": {of: req, want: fieldRequiredResources},
		"composite":          {of: state, want: fieldComposite},
		"resources":          {of: state, want: fieldComposed},
		"items":              {of: (&fnv1.Resources{}).ProtoReflect().Descriptor(), want: fieldItems},
		"resource":           {of: (&fnv1.Resource{}).ProtoReflect().Descriptor(), want: fieldResource},
		"fields":             {of: object, want: fieldFields},
		"struct_value":       {of: (&structpb.Value{}).ProtoReflect().Descriptor(), want: fieldStruct},
		"key":                {of: required.Message(), want: fieldKey},
		"value":              {of: required.Message(), want: fieldValue},
	}
	for name, tc := range cases {
		if got := tc.of.Fields().ByName(protoreflect.Name(name)).Number(); got != tc.want {
			t.Errorf("%s: want %d, got %d", name, got, tc.want)
		}
	}
}
