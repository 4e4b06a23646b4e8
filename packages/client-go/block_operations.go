package loci

import v1 "loci/client-go/lociv1"

// SetTo gives a field of a block a value; an empty one empties it. See [BlockValue].
func SetTo(field string, value *v1.BlockValue) *v1.BlockOperation {
	return &v1.BlockOperation{Op: v1.BlockOperationKind_BLOCK_OPERATION_KIND_SET, Field: field, Value: value}
}

// AppendTo gives a list one more entry, unless it is there, or a text more lines.
func AppendTo(field, text string) *v1.BlockOperation {
	kind := v1.BlockOperationKind_BLOCK_OPERATION_KIND_APPEND
	return &v1.BlockOperation{Op: kind, Field: field, Value: BlockValue(text)}
}

// RemoveFrom takes an entry out of a list.
func RemoveFrom(field, entry string) *v1.BlockOperation {
	kind := v1.BlockOperationKind_BLOCK_OPERATION_KIND_REMOVE
	return &v1.BlockOperation{Op: kind, Field: field, Value: BlockValue(entry)}
}

// ReplaceIn puts a text in the place of an entry of a list, or of the only place of a text where the old one stands.
func ReplaceIn(field, old, text string) *v1.BlockOperation {
	kind := v1.BlockOperationKind_BLOCK_OPERATION_KIND_REPLACE
	return &v1.BlockOperation{Op: kind, Field: field, Old: &old, Value: BlockValue(text)}
}

// BlockScalar is what a field of a block can hold that is no list. Dates are yyyy-mm-dd.
type BlockScalar interface {
	~string | ~bool | ~int | ~int32 | ~int64
}

// BlockValue is the value of a field of a block. See [BlockEntries] for lists, and [Value] for large whole numbers.
func BlockValue[T BlockScalar](value T) *v1.BlockValue {
	switch given := Value(value).GetKind().(type) {
	case *v1.Value_Text:
		return &v1.BlockValue{Kind: &v1.BlockValue_Text{Text: given.Text}}
	case *v1.Value_Boolean:
		return &v1.BlockValue{Kind: &v1.BlockValue_Boolean{Boolean: given.Boolean}}
	case *v1.Value_Number:
		return &v1.BlockValue{Kind: &v1.BlockValue_Number{Number: given.Number}}
	default:
		return &v1.BlockValue{}
	}
}

// BlockEntries is the value of a list, a line each.
func BlockEntries(entries ...string) *v1.BlockValue {
	return &v1.BlockValue{Kind: &v1.BlockValue_Entries{Entries: &v1.BlockEntries{Entries: entries}}}
}

// Holding is what a new block holds, by the names of its schema's fields: v1.CreateBlockRequest{Content: loci.Holding(…)}.
func Holding(values map[string]*v1.BlockValue) *v1.CreateBlockRequest_Values {
	return &v1.CreateBlockRequest_Values{Values: &v1.BlockValues{Values: values}}
}
