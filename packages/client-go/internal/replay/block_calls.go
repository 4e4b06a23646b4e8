package main

import (
	"context"
	"iter"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

// blockCalls are the RPCs of BlockService, by their paths.
var blockCalls = map[string]call{
	v1.BlockService_CreateBlock_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.CreateBlockRequest) (*v1.CreateBlockResponse, error) {
		answer, err := client.Blocks.Create(ctx, request)
		return &v1.CreateBlockResponse{Block: answer}, err
	}),
	v1.BlockService_GetBlock_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetBlockRequest) (*v1.GetBlockResponse, error) {
		answer, err := client.Blocks.Get(ctx, request)
		return &v1.GetBlockResponse{Document: answer}, err
	}),
	v1.BlockService_ListBlocks_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.ListBlocksRequest) (*v1.ListBlocksResponse, error) {
		answer, err := client.Blocks.ListMatching(ctx, request)
		return &v1.ListBlocksResponse{Blocks: answer}, err
	}),
	v1.BlockService_UpdateBlock_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.UpdateBlockRequest) (*v1.UpdateBlockResponse, error) {
		return client.Blocks.Update(ctx, request)
	}),
	v1.BlockService_DeleteBlock_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.DeleteBlockRequest) (*v1.DeleteBlockResponse, error) {
		return &v1.DeleteBlockResponse{}, client.Blocks.Delete(ctx, request.GetOwner(), request.GetLabel(), condition(request.Etag, request.GetRequestId())...)
	}),
	v1.BlockService_RestoreBlock_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.RestoreBlockRequest) (*v1.RestoreBlockResponse, error) {
		return client.Blocks.Restore(ctx, request)
	}),
	v1.BlockService_ListBlockVersions_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ListBlockVersionsRequest) iter.Seq2[*v1.ListBlockVersionsResponse, error] {
		return client.Blocks.HistoryPages(ctx, request)
	}),
	v1.BlockService_DiffBlockVersions_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.DiffBlockVersionsRequest) (*v1.DiffBlockVersionsResponse, error) {
		return client.Blocks.Diff(ctx, request)
	}),
	v1.BlockService_ProposeBlockEdit_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.ProposeBlockEditRequest) (*v1.ProposeBlockEditResponse, error) {
		answer, err := client.Blocks.Propose(ctx, request)
		return &v1.ProposeBlockEditResponse{Edit: answer}, err
	}),
	v1.BlockService_GetBlockEdit_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetBlockEditRequest) (*v1.GetBlockEditResponse, error) {
		return client.Blocks.GetEdit(ctx, request)
	}),
	v1.BlockService_ListBlockEdits_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ListBlockEditsRequest) iter.Seq2[*v1.ListBlockEditsResponse, error] {
		return client.Blocks.EditPages(ctx, request)
	}),
	v1.BlockService_ApproveBlockEdit_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.ApproveBlockEditRequest) (*v1.ApproveBlockEditResponse, error) {
		return client.Blocks.Approve(ctx, request)
	}),
	v1.BlockService_RejectBlockEdit_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.RejectBlockEditRequest) (*v1.RejectBlockEditResponse, error) {
		answer, err := client.Blocks.Reject(ctx, request.GetId(), key(request.GetRequestId())...)
		return &v1.RejectBlockEditResponse{Edit: answer}, err
	}),
	v1.BlockService_WithdrawBlockEdit_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.WithdrawBlockEditRequest) (*v1.WithdrawBlockEditResponse, error) {
		answer, err := client.Blocks.Withdraw(ctx, request.GetId(), key(request.GetRequestId())...)
		return &v1.WithdrawBlockEditResponse{Edit: answer}, err
	}),
	v1.BlockService_UpdateProfile_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.UpdateProfileRequest) (*v1.UpdateProfileResponse, error) {
		return client.Blocks.Profile.Update(ctx, request)
	}),
	v1.BlockService_GetProfileSummary_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetProfileSummaryRequest) (*v1.GetProfileSummaryResponse, error) {
		answer, err := client.Blocks.Profile.Summary(ctx, request)
		return &v1.GetProfileSummaryResponse{Summary: answer}, err
	}),
	v1.BlockService_SearchArchival_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.SearchArchivalRequest) (*v1.SearchArchivalResponse, error) {
		answer, err := client.Blocks.Profile.SearchArchival(ctx, request)
		return &v1.SearchArchivalResponse{Memories: answer}, err
	}),
	v1.BlockService_PromoteMemory_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.PromoteMemoryRequest) (*v1.PromoteMemoryResponse, error) {
		return client.Blocks.Promote(ctx, request)
	}),
	v1.BlockService_DemoteLine_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.DemoteLineRequest) (*v1.DemoteLineResponse, error) {
		return client.Blocks.Demote(ctx, request)
	}),
	v1.BlockService_CreateBlockSchema_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.CreateBlockSchemaRequest) (*v1.CreateBlockSchemaResponse, error) {
		answer, err := client.Blocks.Schemas.Create(ctx, request.GetSchema(), key(request.GetRequestId())...)
		return &v1.CreateBlockSchemaResponse{Schema: answer}, err
	}),
	v1.BlockService_ListBlockSchemas_FullMethodName: one(func(ctx context.Context, client *loci.Client, _ *v1.ListBlockSchemasRequest) (*v1.ListBlockSchemasResponse, error) {
		answer, err := client.Blocks.Schemas.List(ctx)
		return &v1.ListBlockSchemasResponse{Schemas: answer}, err
	}),
	v1.BlockService_DeleteBlockSchema_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.DeleteBlockSchemaRequest) (*v1.DeleteBlockSchemaResponse, error) {
		return &v1.DeleteBlockSchemaResponse{}, client.Blocks.Schemas.Delete(ctx, request.GetName(), key(request.GetRequestId())...)
	}),
}
