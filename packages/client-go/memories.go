package loci

import (
	"context"
	"iter"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	v1 "loci/client-go/lociv1"
)

// Memories stores, reads and changes memories.
type Memories struct{ server *server }

// Remember stores one memory, or gives the one that says the same new evidence (see [Repeating]). It is durable and can be
// recalled when this returns.
func (memories *Memories) Remember(ctx context.Context, text string, scope *v1.Scope, options ...RememberOption) (*v1.Memory, error) {
	request := &v1.CreateMemoryRequest{Memory: &v1.Memory{Text: text, Scope: scope}, RequestId: newRequestID()}
	for _, option := range options {
		option.remember(request)
	}
	return memories.Create(ctx, request)
}

// Create stores one memory as [Memories.Remember] does, said in the contract's own request.
func (memories *Memories) Create(ctx context.Context, request *v1.CreateMemoryRequest) (*v1.Memory, error) {
	response, err := unary[v1.CreateMemoryResponse](ctx, memories.server, v1.MemoryService_CreateMemory_FullMethodName, withKey(request), repeated)
	return response.GetMemory(), err
}

// RememberMany stores up to 1,000 memories: all or none. The answer is in their order; those that say the same are one memory.
func (memories *Memories) RememberMany(ctx context.Context, given []*v1.Memory, options ...WriteOption) ([]*v1.Memory, error) {
	request := &v1.BatchCreateMemoriesRequest{Memories: given, RequestId: keyOf(options)}
	response, err := unary[v1.BatchCreateMemoriesResponse](ctx, memories.server, v1.MemoryService_BatchCreateMemories_FullMethodName, request, repeated)
	return response.GetMemories(), err
}

// RememberConversation stores each turn of a conversation as a memory. A turn that the session holds already is not stored
// twice. The answer is in the order of the turns.
func (memories *Memories) RememberConversation(ctx context.Context, request *v1.CreateMemoriesFromConversationRequest) ([]*v1.Memory, error) {
	response, err := unary[v1.CreateMemoriesFromConversationResponse](ctx, memories.server, v1.MemoryService_CreateMemoriesFromConversation_FullMethodName, withKey(request), repeated)
	return response.GetMemories(), err
}

// Get reads one memory. One outside the credential's scopes is [ErrNotFound], too.
func (memories *Memories) Get(ctx context.Context, id string) (*v1.Memory, error) {
	response, err := unary[v1.GetMemoryResponse](ctx, memories.server, v1.MemoryService_GetMemory_FullMethodName, &v1.GetMemoryRequest{Id: id}, repeated)
	return response.GetMemory(), err
}

// GetByKey reads the memory of the scope that has the key.
func (memories *Memories) GetByKey(ctx context.Context, scope *v1.Scope, key string) (*v1.Memory, error) {
	request := &v1.GetMemoryRequest{Scope: scope, Key: &key}
	response, err := unary[v1.GetMemoryResponse](ctx, memories.server, v1.MemoryService_GetMemory_FullMethodName, request, repeated)
	return response.GetMemory(), err
}

// GetMany reads up to 500 memories by their ids, in that order, and says which are missing.
func (memories *Memories) GetMany(ctx context.Context, request *v1.BatchGetMemoriesRequest) (*v1.BatchGetMemoriesResponse, error) {
	return unary[v1.BatchGetMemoriesResponse](ctx, memories.server, v1.MemoryService_BatchGetMemories_FullMethodName, request, repeated)
}

// List gives the active memories of the scopes, newest first, and asks for pages as they are needed. An error ends it.
func (memories *Memories) List(ctx context.Context, scopes Scopes, options ...ListOption) iter.Seq2[*v1.Memory, error] {
	return items(memories.Pages(ctx, scopes, options...), (*v1.ListMemoriesResponse).GetMemories)
}

// Pages gives what [Memories.List] does, a page at a time.
func (memories *Memories) Pages(ctx context.Context, scopes Scopes, options ...ListOption) iter.Seq2[*v1.ListMemoriesResponse, error] {
	request := &v1.ListMemoriesRequest{Scopes: scopes}
	for _, option := range options {
		option.list(request)
	}
	return pages[v1.ListMemoriesResponse](ctx, memories.server, v1.MemoryService_ListMemories_FullMethodName, request)
}

// Scopes gives the scopes that hold active memories and that the credential covers, by their names, with how many each, and
// asks for pages as they are needed. An error ends it.
func (memories *Memories) Scopes(ctx context.Context, options ...ScopeOption) iter.Seq2[*v1.ScopeMemories, error] {
	return items(memories.ScopePages(ctx, options...), (*v1.ListMemoryScopesResponse).GetScopes)
}

// ScopePages gives what [Memories.Scopes] does, a page at a time.
func (memories *Memories) ScopePages(ctx context.Context, options ...ScopeOption) iter.Seq2[*v1.ListMemoryScopesResponse, error] {
	request := &v1.ListMemoryScopesRequest{}
	for _, option := range options {
		option.scopes(request)
	}
	return pages[v1.ListMemoryScopesResponse](ctx, memories.server, v1.MemoryService_ListMemoryScopes_FullMethodName, request)
}

// Update makes a new version of the memory, of which only id and etag are read: loci.Text, loci.Importance, loci.Remove and
// so on say what changes. When the memory's etag is not the current one, it is [ErrConflict]. A memory without an id is named
// by its scope and key, as [WithKey] makes one; with [AllowMissing] it is made when there is none.
func (memories *Memories) Update(ctx context.Context, memory *v1.Memory, changes ...UpdateOption) (*v1.Memory, error) {
	named := &v1.Memory{Id: memory.GetId(), Etag: memory.GetEtag()}
	if named.Id == "" && memory != nil {
		named.Scope, named.Key = memory.Scope, memory.Key
	}
	request := &v1.UpdateMemoryRequest{
		Memory:     named,
		UpdateMask: &fieldmaskpb.FieldMask{},
		RequestId:  newRequestID(),
	}
	for _, change := range changes {
		change.update(request)
	}
	response, err := unary[v1.UpdateMemoryResponse](ctx, memories.server, v1.MemoryService_UpdateMemory_FullMethodName, request, repeated)
	return response.GetMemory(), err
}

// Forget leaves a tombstone. With [Etag] the memory must still be at that version.
func (memories *Memories) Forget(ctx context.Context, id string, options ...ConditionOption) error {
	given := preconditionOf(options)
	request := &v1.DeleteMemoryRequest{Id: id, Etag: given.etag, RequestId: given.key}
	_, err := unary[v1.DeleteMemoryResponse](ctx, memories.server, v1.MemoryService_DeleteMemory_FullMethodName, request, repeated)
	return err
}

// Versions reads every version of a memory, oldest first, a tombstone included.
func (memories *Memories) Versions(ctx context.Context, id string) ([]*v1.Memory, error) {
	response, err := unary[v1.ListMemoryVersionsResponse](ctx, memories.server, v1.MemoryService_ListMemoryVersions_FullMethodName, &v1.ListMemoryVersionsRequest{Id: id}, repeated)
	return response.GetMemories(), err
}

// Restore makes an old version's content, from 1, the newest version.
func (memories *Memories) Restore(ctx context.Context, id string, version int64, options ...WriteOption) (*v1.Memory, error) {
	request := &v1.RestoreMemoryRequest{Id: id, Version: version, RequestId: keyOf(options)}
	response, err := unary[v1.RestoreMemoryResponse](ctx, memories.server, v1.MemoryService_RestoreMemory_FullMethodName, request, repeated)
	return response.GetMemory(), err
}

// MarkUsed says that memories were used, at most 1,000. Unknown ids are passed over. It has no idempotency key and is sent
// once, so that no use is counted twice.
func (memories *Memories) MarkUsed(ctx context.Context, ids ...string) error {
	_, err := unary[v1.MarkMemoriesUsedResponse](ctx, memories.server, v1.MemoryService_MarkMemoriesUsed_FullMethodName, &v1.MarkMemoriesUsedRequest{Ids: ids}, sentOnce)
	return err
}
