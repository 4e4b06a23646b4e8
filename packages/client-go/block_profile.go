package loci

import (
	"context"

	v1 "loci/client-go/lociv1"
)

// Profile changes and reads human blocks.
type Profile struct{ server *server }

// Update changes a human block by what a program says of its user.
func (profile *Profile) Update(ctx context.Context, request *v1.UpdateProfileRequest) (*v1.UpdateProfileResponse, error) {
	return unary[v1.UpdateProfileResponse](ctx, profile.server, v1.BlockService_UpdateProfile_FullMethodName, withKey(request), repeated)
}

// Summary reads a human block as it stands in a context.
func (profile *Profile) Summary(ctx context.Context, request *v1.GetProfileSummaryRequest) (string, error) {
	response, err := unary[v1.GetProfileSummaryResponse](ctx, profile.server, v1.BlockService_GetProfileSummary_FullMethodName, request, repeated)
	return response.GetSummary(), err
}

// SearchArchival finds what left a human block and fits a question, best first.
func (profile *Profile) SearchArchival(ctx context.Context, request *v1.SearchArchivalRequest) ([]*v1.Memory, error) {
	response, err := unary[v1.SearchArchivalResponse](ctx, profile.server, v1.BlockService_SearchArchival_FullMethodName, request, repeated)
	return response.GetMemories(), err
}

// BlockSchemas are the forms of blocks.
type BlockSchemas struct{ server *server }

// Create makes a form of blocks known in the tenant, and gives it in normal form. It needs the role admin.
func (schemas *BlockSchemas) Create(ctx context.Context, schema *v1.BlockSchema, options ...WriteOption) (*v1.BlockSchema, error) {
	request := &v1.CreateBlockSchemaRequest{Schema: schema, RequestId: keyOf(options)}
	response, err := unary[v1.CreateBlockSchemaResponse](ctx, schemas.server, v1.BlockService_CreateBlockSchema_FullMethodName, request, repeated)
	return response.GetSchema(), err
}

// List reads the forms that come with Loci, then those of the tenant by name.
func (schemas *BlockSchemas) List(ctx context.Context) ([]*v1.BlockSchema, error) {
	response, err := unary[v1.ListBlockSchemasResponse](ctx, schemas.server, v1.BlockService_ListBlockSchemas_FullMethodName, &v1.ListBlockSchemasRequest{}, repeated)
	return response.GetSchemas(), err
}

// Delete removes a form that no block has. It needs the role admin.
func (schemas *BlockSchemas) Delete(ctx context.Context, name string, options ...WriteOption) error {
	request := &v1.DeleteBlockSchemaRequest{Name: name, RequestId: keyOf(options)}
	_, err := unary[v1.DeleteBlockSchemaResponse](ctx, schemas.server, v1.BlockService_DeleteBlockSchema_FullMethodName, request, repeated)
	return err
}
