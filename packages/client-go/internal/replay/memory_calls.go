package main

import (
	"context"
	"iter"

	loci "loci/client-go"
	v1 "loci/client-go/lociv1"
)

// memoryCalls are the RPCs of MemoryService, by their paths.
var memoryCalls = map[string]call{
	v1.MemoryService_CreateMemory_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.CreateMemoryRequest) (*v1.CreateMemoryResponse, error) {
		given := request.GetMemory()
		if given == nil {
			memory, err := client.Memories.Create(ctx, request)
			return &v1.CreateMemoryResponse{Memory: memory}, err
		}
		memory, err := client.Memories.Remember(ctx, given.GetText(), given.GetScope(), rememberOptions(request)...)
		return &v1.CreateMemoryResponse{Memory: memory}, err
	}),
	v1.MemoryService_BatchCreateMemories_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.BatchCreateMemoriesRequest) (*v1.BatchCreateMemoriesResponse, error) {
		memories, err := client.Memories.RememberMany(ctx, request.GetMemories(), key(request.GetRequestId())...)
		return &v1.BatchCreateMemoriesResponse{Memories: memories}, err
	}),
	v1.MemoryService_CreateMemoriesFromConversation_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.CreateMemoriesFromConversationRequest) (*v1.CreateMemoriesFromConversationResponse, error) {
		memories, err := client.Memories.RememberConversation(ctx, request)
		return &v1.CreateMemoriesFromConversationResponse{Memories: memories}, err
	}),
	v1.MemoryService_GetMemory_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.GetMemoryRequest) (*v1.GetMemoryResponse, error) {
		if request.Key != nil {
			memory, err := client.Memories.GetByKey(ctx, request.GetScope(), request.GetKey())
			return &v1.GetMemoryResponse{Memory: memory}, err
		}
		memory, err := client.Memories.Get(ctx, request.GetId())
		return &v1.GetMemoryResponse{Memory: memory}, err
	}),
	v1.MemoryService_BatchGetMemories_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.BatchGetMemoriesRequest) (*v1.BatchGetMemoriesResponse, error) {
		return client.Memories.GetMany(ctx, request)
	}),
	v1.MemoryService_ListMemories_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ListMemoriesRequest) iter.Seq2[*v1.ListMemoriesResponse, error] {
		return client.Memories.Pages(ctx, loci.In(request.GetScopes()...), listOptions(request)...)
	}),
	v1.MemoryService_ListMemoryScopes_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ListMemoryScopesRequest) iter.Seq2[*v1.ListMemoryScopesResponse, error] {
		return client.Memories.ScopePages(ctx, scopeOptions(request)...)
	}),
	v1.MemoryService_UpdateMemory_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.UpdateMemoryRequest) (*v1.UpdateMemoryResponse, error) {
		memory, err := client.Memories.Update(ctx, request.GetMemory(), updateOptions(request)...)
		return &v1.UpdateMemoryResponse{Memory: memory}, err
	}),
	v1.MemoryService_DeleteMemory_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.DeleteMemoryRequest) (*v1.DeleteMemoryResponse, error) {
		err := client.Memories.Forget(ctx, request.GetId(), condition(request.Etag, request.GetRequestId())...)
		return &v1.DeleteMemoryResponse{}, err
	}),
	v1.MemoryService_ListMemoryVersions_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.ListMemoryVersionsRequest) (*v1.ListMemoryVersionsResponse, error) {
		memories, err := client.Memories.Versions(ctx, request.GetId())
		return &v1.ListMemoryVersionsResponse{Memories: memories}, err
	}),
	v1.MemoryService_RestoreMemory_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.RestoreMemoryRequest) (*v1.RestoreMemoryResponse, error) {
		memory, err := client.Memories.Restore(ctx, request.GetId(), request.GetVersion(), key(request.GetRequestId())...)
		return &v1.RestoreMemoryResponse{Memory: memory}, err
	}),
	v1.MemoryService_MarkMemoriesUsed_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.MarkMemoriesUsedRequest) (*v1.MarkMemoriesUsedResponse, error) {
		return &v1.MarkMemoriesUsedResponse{}, client.Memories.MarkUsed(ctx, request.GetIds()...)
	}),
	v1.MemoryService_RecallMemories_FullMethodName: one(func(ctx context.Context, client *loci.Client, request *v1.RecallMemoriesRequest) (*v1.RecallMemoriesResponse, error) {
		if request.Question == nil {
			return client.RecallMemories(ctx, request)
		}
		return client.Recall(ctx, request.GetQuery(), loci.In(request.GetScopes()...), recallOptions(request)...)
	}),
	v1.MemoryService_ListMemoryIds_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.ListMemoryIdsRequest) iter.Seq2[*v1.ListMemoryIdsResponse, error] {
		return client.Memories.Ids(ctx, request)
	}),
	v1.MemoryService_WatchMemories_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.WatchMemoriesRequest) iter.Seq2[*v1.WatchMemoriesResponse, error] {
		return client.Memories.Watch(ctx, request)
	}),
	v1.MemoryService_ExportMemories_FullMethodName: many(func(ctx context.Context, client *loci.Client, request *v1.MemoryServiceExportMemoriesRequest) iter.Seq2[*v1.MemoryServiceExportMemoriesResponse, error] {
		return client.Memories.Export(ctx, loci.AfterID(request.GetAfterId()))
	}),
}
