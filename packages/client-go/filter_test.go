package loci

import "testing"

func TestAWholeNumberThatADoubleDoesNotHoldIsNoOtherOne(t *testing.T) {
	for _, exact := range []int64{0, 1<<53 - 1, -(1<<53 - 1)} {
		if got := Value(exact).GetNumber(); int64(got) != exact {
			t.Errorf("%d became %v", exact, got)
		}
		if got := BlockValue(exact).GetNumber(); int64(got) != exact {
			t.Errorf("%d became %v in a block", exact, got)
		}
	}
	for _, beyond := range []int64{1 << 53, 1<<53 + 1, -1 << 53, -1 << 63} {
		// The server refuses what has no content, and names the field.
		if got := Value(beyond); got.GetKind() != nil {
			t.Errorf("%d became %v", beyond, got)
		}
		if got := BlockValue(beyond); got.GetKind() != nil {
			t.Errorf("%d became %v in a block", beyond, got)
		}
	}
}
