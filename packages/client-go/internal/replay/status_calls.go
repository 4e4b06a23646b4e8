package main

import (
	"context"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

// statusCalls are the RPCs of StatusService, by their paths.
var statusCalls = map[string]call{
	v1.StatusService_GetCaller_FullMethodName: one(func(ctx context.Context, client *loci.Client, _ *v1.GetCallerRequest) (*v1.GetCallerResponse, error) {
		caller, err := client.Caller(ctx)
		return &v1.GetCallerResponse{Caller: caller}, err
	}),
	v1.StatusService_GetStatus_FullMethodName: one(func(ctx context.Context, client *loci.Client, _ *v1.GetStatusRequest) (*v1.GetStatusResponse, error) {
		status, err := client.Status(ctx)
		return &v1.GetStatusResponse{Status: status}, err
	}),
}
