;; Inner products of float32 rows with a query, sixteen products a turn.
;;
;; Rows are contiguous, `rowBytes` each, a multiple of 64, and so is the query. out[row] = row . query, added up in float32.
(module
  (import "kept" "memory" (memory 1))

  (func (export "dot")
    (param $row i32) (param $count i32) (param $rowBytes i32) (param $query i32) (param $out i32)
    (local $end i32) (local $at i32) (local $outEnd i32)
    (local $first v128) (local $second v128) (local $third v128) (local $fourth v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $rows
      (local.set $first (v128.const f32x4 0 0 0 0))
      (local.set $second (v128.const f32x4 0 0 0 0))
      (local.set $third (v128.const f32x4 0 0 0 0))
      (local.set $fourth (v128.const f32x4 0 0 0 0))
      (local.set $at (local.get $query))
      (local.set $end (i32.add (local.get $row) (local.get $rowBytes)))
      (loop $values
        (local.set $first (f32x4.add (local.get $first)
          (f32x4.mul (v128.load (local.get $row)) (v128.load (local.get $at)))))
        (local.set $second (f32x4.add (local.get $second)
          (f32x4.mul (v128.load offset=16 (local.get $row)) (v128.load offset=16 (local.get $at)))))
        (local.set $third (f32x4.add (local.get $third)
          (f32x4.mul (v128.load offset=32 (local.get $row)) (v128.load offset=32 (local.get $at)))))
        (local.set $fourth (f32x4.add (local.get $fourth)
          (f32x4.mul (v128.load offset=48 (local.get $row)) (v128.load offset=48 (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (local.set $row (i32.add (local.get $row) (i32.const 64)))
        (br_if $values (i32.lt_u (local.get $row) (local.get $end))))
      (local.set $first (f32x4.add
        (f32x4.add (local.get $first) (local.get $second))
        (f32x4.add (local.get $third) (local.get $fourth))))
      (f32.store (local.get $out) (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $first)) (f32x4.extract_lane 1 (local.get $first)))
        (f32.add (f32x4.extract_lane 2 (local.get $first)) (f32x4.extract_lane 3 (local.get $first)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $out) (local.get $outEnd))))))
