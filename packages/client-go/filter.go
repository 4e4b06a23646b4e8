package loci

import (
	"reflect"

	v1 "loci/client-go/lociv1"
)

// Scalar is what a field of a memory can be compared with, and what its metadata can hold.
type Scalar interface {
	~string | ~bool | ~int | ~int32 | ~int64 | ~float32 | ~float64
}

// Equals holds for memories whose field has that value. The fields are category, origin, trust, slot, isStatic, importance,
// confidence, createdAt (milliseconds since 1970), tags, and metadata.NAME. A memory without the field never matches.
func Equals[T Scalar](field string, value T) *v1.Filter {
	return compare(field, v1.FilterOperator_FILTER_OPERATOR_EQUALS, value)
}

// NotEquals holds for memories whose field has another value.
func NotEquals[T Scalar](field string, value T) *v1.Filter {
	return compare(field, v1.FilterOperator_FILTER_OPERATOR_NOT_EQUALS, value)
}

// OneOf holds for memories whose field has one of the values.
func OneOf[T Scalar](field string, values ...T) *v1.Filter {
	return compare(field, v1.FilterOperator_FILTER_OPERATOR_IN, values...)
}

// NoneOf holds for memories whose field has none of the values.
func NoneOf[T Scalar](field string, values ...T) *v1.Filter {
	return compare(field, v1.FilterOperator_FILTER_OPERATOR_NOT_IN, values...)
}

// LessThan holds for memories whose field is less.
func LessThan[T Scalar](field string, value T) *v1.Filter {
	return compare(field, v1.FilterOperator_FILTER_OPERATOR_LESS_THAN, value)
}

// AtMost holds for memories whose field is less or the same.
func AtMost[T Scalar](field string, value T) *v1.Filter {
	return compare(field, v1.FilterOperator_FILTER_OPERATOR_AT_MOST, value)
}

// GreaterThan holds for memories whose field is more.
func GreaterThan[T Scalar](field string, value T) *v1.Filter {
	return compare(field, v1.FilterOperator_FILTER_OPERATOR_GREATER_THAN, value)
}

// AtLeast holds for memories whose field is more or the same.
func AtLeast[T Scalar](field string, value T) *v1.Filter {
	return compare(field, v1.FilterOperator_FILTER_OPERATOR_AT_LEAST, value)
}

// Contains holds for memories whose field, which has many values, has this one among them.
func Contains[T Scalar](field string, value T) *v1.Filter {
	return compare(field, v1.FilterOperator_FILTER_OPERATOR_CONTAINS, value)
}

// And holds when all of them do.
func And(filters ...*v1.Filter) *v1.Filter {
	return &v1.Filter{Kind: &v1.Filter_All{All: &v1.FilterList{Filters: filters}}}
}

// Or holds when at least one of them does.
func Or(filters ...*v1.Filter) *v1.Filter {
	return &v1.Filter{Kind: &v1.Filter_Any{Any: &v1.FilterList{Filters: filters}}}
}

// Not holds when the other does not.
func Not(filter *v1.Filter) *v1.Filter {
	return &v1.Filter{Kind: &v1.Filter_Not{Not: filter}}
}

// largestExact is the largest whole number up to which a double, which carries numbers, holds every one.
const largestExact = 1<<53 - 1

// Value is a value of a memory's metadata. A whole number beyond ±(2⁵³−1) would become another one: it is a value without
// content, which the server refuses by its field. Pass such a number as text, as ids are.
func Value[T Scalar](value T) *v1.Value {
	given := reflect.ValueOf(value)
	switch kind := given.Kind(); {
	case kind == reflect.String:
		return &v1.Value{Kind: &v1.Value_Text{Text: given.String()}}
	case kind == reflect.Bool:
		return &v1.Value{Kind: &v1.Value_Boolean{Boolean: given.Bool()}}
	case given.CanInt() && (given.Int() > largestExact || given.Int() < -largestExact):
		return &v1.Value{}
	case given.CanInt():
		return &v1.Value{Kind: &v1.Value_Number{Number: float64(given.Int())}}
	default:
		return &v1.Value{Kind: &v1.Value_Number{Number: given.Float()}}
	}
}

func compare[T Scalar](field string, operator v1.FilterOperator, given ...T) *v1.Filter {
	values := make([]*v1.Value, len(given))
	for position, value := range given {
		values[position] = Value(value)
	}
	comparison := &v1.FilterComparison{Field: field, Operator: operator, Values: values}
	return &v1.Filter{Kind: &v1.Filter_Comparison{Comparison: comparison}}
}
