package loci

import (
	"context"

	v1 "loci/client-go/lociv1"
)

// Caller says whom the server takes this client for: tenant, roles and scopes; and the server's version and services.
func (client *Client) Caller(ctx context.Context) (*v1.Caller, error) {
	response, err := unary[v1.GetCallerResponse](ctx, client.server, v1.StatusService_GetCaller_FullMethodName, &v1.GetCallerRequest{}, repeated)
	return response.GetCaller(), err
}
