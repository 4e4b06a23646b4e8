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

// Status says how the server is: what it holds of the tenant, and whether all that follows the ledger has kept up. It takes a
// credential that covers every scope.
func (client *Client) Status(ctx context.Context) (*v1.LociStatus, error) {
	response, err := unary[v1.GetStatusResponse](ctx, client.server, v1.StatusService_GetStatus_FullMethodName, &v1.GetStatusRequest{}, repeated)
	return response.GetStatus(), err
}
