package loci

import (
	"context"
	"iter"

	v1 "loci/client-go/lociv1"
)

// Blocks are what stands in each context of its owner, in versions that people can look at, approve and take back.
type Blocks struct {
	// Schemas are the forms of blocks.
	Schemas *BlockSchemas
	// Profile changes and reads human blocks.
	Profile *Profile

	server *server
}

// Create makes a block. It needs the role approve.
func (blocks *Blocks) Create(ctx context.Context, request *v1.CreateBlockRequest) (*v1.Block, error) {
	response, err := unary[v1.CreateBlockResponse](ctx, blocks.server, v1.BlockService_CreateBlock_FullMethodName, withKey(request), repeated)
	return response.GetBlock(), err
}

// Get reads a block in every form, as it is or was.
func (blocks *Blocks) Get(ctx context.Context, request *v1.GetBlockRequest) (*v1.BlockDocument, error) {
	response, err := unary[v1.GetBlockResponse](ctx, blocks.server, v1.BlockService_GetBlock_FullMethodName, request, repeated)
	return response.GetDocument(), err
}

// List reads the blocks of an owner by label: at most 64. The files of a memory tool are not among them.
func (blocks *Blocks) List(ctx context.Context, owner *v1.Scope) ([]*v1.Block, error) {
	return blocks.ListMatching(ctx, &v1.ListBlocksRequest{Owner: owner})
}

// ListMatching reads the blocks of an owner of one schema, or those after a label: at most 64 at a time.
func (blocks *Blocks) ListMatching(ctx context.Context, request *v1.ListBlocksRequest) ([]*v1.Block, error) {
	response, err := unary[v1.ListBlocksResponse](ctx, blocks.server, v1.BlockService_ListBlocks_FullMethodName, request, repeated)
	return response.GetBlocks(), err
}

// Update makes a new version, or proposes it when the caller may not approve. When the etag is not the current one, it is
// [ErrConflict].
func (blocks *Blocks) Update(ctx context.Context, request *v1.UpdateBlockRequest) (*v1.UpdateBlockResponse, error) {
	return unary[v1.UpdateBlockResponse](ctx, blocks.server, v1.BlockService_UpdateBlock_FullMethodName, withKey(request), repeated)
}

// Delete removes a block. Its history stays. It needs the role approve.
func (blocks *Blocks) Delete(ctx context.Context, owner *v1.Scope, label string, options ...ConditionOption) error {
	given := preconditionOf(options)
	request := &v1.DeleteBlockRequest{Owner: owner, Label: label, Etag: given.etag, RequestId: given.key}
	_, err := unary[v1.DeleteBlockResponse](ctx, blocks.server, v1.BlockService_DeleteBlock_FullMethodName, request, repeated)
	return err
}

// Restore makes an old version's content the newest version, or proposes that. It also brings back what was deleted.
func (blocks *Blocks) Restore(ctx context.Context, request *v1.RestoreBlockRequest) (*v1.RestoreBlockResponse, error) {
	return unary[v1.RestoreBlockResponse](ctx, blocks.server, v1.BlockService_RestoreBlock_FullMethodName, withKey(request), repeated)
}

// History gives what happened to a block, newest first.
func (blocks *Blocks) History(ctx context.Context, request *v1.ListBlockVersionsRequest) iter.Seq2[*v1.BlockVersion, error] {
	return items(blocks.HistoryPages(ctx, request), (*v1.ListBlockVersionsResponse).GetVersions)
}

// HistoryPages gives what [Blocks.History] does, a page at a time.
func (blocks *Blocks) HistoryPages(ctx context.Context, request *v1.ListBlockVersionsRequest) iter.Seq2[*v1.ListBlockVersionsResponse, error] {
	return pages[v1.ListBlockVersionsResponse](ctx, blocks.server, v1.BlockService_ListBlockVersions_FullMethodName, request)
}

// Diff compares two versions of a block.
func (blocks *Blocks) Diff(ctx context.Context, request *v1.DiffBlockVersionsRequest) (*v1.DiffBlockVersionsResponse, error) {
	return unary[v1.DiffBlockVersionsResponse](ctx, blocks.server, v1.BlockService_DiffBlockVersions_FullMethodName, request, repeated)
}

// Propose proposes a change of a block, which waits for approval unless the block's policy says otherwise.
func (blocks *Blocks) Propose(ctx context.Context, request *v1.ProposeBlockEditRequest) (*v1.BlockEdit, error) {
	response, err := unary[v1.ProposeBlockEditResponse](ctx, blocks.server, v1.BlockService_ProposeBlockEdit_FullMethodName, withKey(request), repeated)
	return response.GetEdit(), err
}

// GetEdit reads an edit, and what it would make of its block now.
func (blocks *Blocks) GetEdit(ctx context.Context, request *v1.GetBlockEditRequest) (*v1.GetBlockEditResponse, error) {
	return unary[v1.GetBlockEditResponse](ctx, blocks.server, v1.BlockService_GetBlockEdit_FullMethodName, request, repeated)
}

// ListEdits gives edits in the order in which they were proposed; by default those that are pending.
func (blocks *Blocks) ListEdits(ctx context.Context, request *v1.ListBlockEditsRequest) iter.Seq2[*v1.BlockEdit, error] {
	return items(blocks.EditPages(ctx, request), (*v1.ListBlockEditsResponse).GetEdits)
}

// EditPages gives what [Blocks.ListEdits] does, a page at a time.
func (blocks *Blocks) EditPages(ctx context.Context, request *v1.ListBlockEditsRequest) iter.Seq2[*v1.ListBlockEditsResponse, error] {
	return pages[v1.ListBlockEditsResponse](ctx, blocks.server, v1.BlockService_ListBlockEdits_FullMethodName, request)
}

// Approve makes a version of what somebody looked at. When it would be something else now, it is [EditConflict]. It needs the
// role approve.
func (blocks *Blocks) Approve(ctx context.Context, request *v1.ApproveBlockEditRequest) (*v1.ApproveBlockEditResponse, error) {
	return unary[v1.ApproveBlockEditResponse](ctx, blocks.server, v1.BlockService_ApproveBlockEdit_FullMethodName, withKey(request), repeated)
}

// Reject ends a pending edit. It needs the role approve.
func (blocks *Blocks) Reject(ctx context.Context, id string, options ...WriteOption) (*v1.BlockEdit, error) {
	request := &v1.RejectBlockEditRequest{Id: id, RequestId: keyOf(options)}
	response, err := unary[v1.RejectBlockEditResponse](ctx, blocks.server, v1.BlockService_RejectBlockEdit_FullMethodName, request, repeated)
	return response.GetEdit(), err
}

// Withdraw takes back a pending edit that the caller proposed.
func (blocks *Blocks) Withdraw(ctx context.Context, id string, options ...WriteOption) (*v1.BlockEdit, error) {
	request := &v1.WithdrawBlockEditRequest{Id: id, RequestId: keyOf(options)}
	response, err := unary[v1.WithdrawBlockEditResponse](ctx, blocks.server, v1.BlockService_WithdrawBlockEdit_FullMethodName, request, repeated)
	return response.GetEdit(), err
}

// Promote appends the text of a memory below a heading of a document.
func (blocks *Blocks) Promote(ctx context.Context, request *v1.PromoteMemoryRequest) (*v1.PromoteMemoryResponse, error) {
	return unary[v1.PromoteMemoryResponse](ctx, blocks.server, v1.BlockService_PromoteMemory_FullMethodName, withKey(request), repeated)
}

// Demote takes a line out of a document and makes a memory of it. It needs the role approve.
func (blocks *Blocks) Demote(ctx context.Context, request *v1.DemoteLineRequest) (*v1.DemoteLineResponse, error) {
	return unary[v1.DemoteLineResponse](ctx, blocks.server, v1.BlockService_DemoteLine_FullMethodName, withKey(request), repeated)
}
