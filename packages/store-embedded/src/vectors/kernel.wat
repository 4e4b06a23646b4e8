;; Dot products: of int8 rows with int16 queries, eight products an instruction, and of float32 vectors with queries in
;; double precision.
;;
;; Int8 rows are contiguous, `rowBytes` each, a multiple of 32; a query has as many 16-bit values. Sums are exact 32-bit
;; integers: the caller scales queries so that they cannot overflow.
(module
  (import "index" "memory" (memory 1 65536))

  ;; One query: out[row] = row . query
  (func $dotOne (export "dotOne")
    (param $row i32) (param $count i32) (param $rowBytes i32) (param $query i32) (param $out i32)
    (local $end i32) (local $at i32) (local $outEnd i32)
    (local $first v128) (local $second v128) (local $third v128) (local $fourth v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $rows
      (local.set $first (v128.const i32x4 0 0 0 0))
      (local.set $second (v128.const i32x4 0 0 0 0))
      (local.set $third (v128.const i32x4 0 0 0 0))
      (local.set $fourth (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))
      (local.set $end (i32.add (local.get $row) (local.get $rowBytes)))
      (loop $values
        (local.set $first (i32x4.add (local.get $first)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row)) (v128.load (local.get $at)))))
        (local.set $second (i32x4.add (local.get $second)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $row)) (v128.load offset=16 (local.get $at)))))
        (local.set $third (i32x4.add (local.get $third)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=16 (local.get $row)) (v128.load offset=32 (local.get $at)))))
        (local.set $fourth (i32x4.add (local.get $fourth)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=24 (local.get $row)) (v128.load offset=48 (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (local.set $row (i32.add (local.get $row) (i32.const 32)))
        (br_if $values (i32.lt_u (local.get $row) (local.get $end))))
      (i32.store (local.get $out) (call $sum
        (i32x4.add (i32x4.add (local.get $first) (local.get $second))
                   (i32x4.add (local.get $third) (local.get $fourth)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $out) (local.get $outEnd)))))

  ;; One query and some of the rows, by their places from `rows` on: out[at] = rows[places[at]] . query
  (func (export "dotPlaces")
    (param $rows i32) (param $places i32) (param $count i32) (param $rowBytes i32) (param $query i32) (param $out i32)
    (local $end i32)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $end (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))))
    (loop $next
      (call $dotOne
        (i32.add (local.get $rows) (i32.mul (i32.load (local.get $places)) (local.get $rowBytes)))
        (i32.const 1) (local.get $rowBytes) (local.get $query) (local.get $out))
      (local.set $places (i32.add (local.get $places) (i32.const 4)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $places) (local.get $end)))))

  ;; Four queries, one after the other at `query`, in one pass: out[query * count + row] = row . query
  (func (export "dotFour")
    (param $row i32) (param $count i32) (param $rowBytes i32) (param $query i32) (param $out i32)
    (local $end i32) (local $at0 i32) (local $at1 i32) (local $at2 i32) (local $at3 i32)
    (local $outEnd i32) (local $stride i32) (local $queryBytes i32)
    (local $low v128) (local $high v128)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $stride (i32.shl (local.get $count) (i32.const 2)))
    (local.set $queryBytes (i32.shl (local.get $rowBytes) (i32.const 1)))
    (local.set $outEnd (i32.add (local.get $out) (local.get $stride)))
    (loop $rows
      (local.set $sum0 (v128.const i32x4 0 0 0 0))
      (local.set $sum1 (v128.const i32x4 0 0 0 0))
      (local.set $sum2 (v128.const i32x4 0 0 0 0))
      (local.set $sum3 (v128.const i32x4 0 0 0 0))
      (local.set $at0 (local.get $query))
      (local.set $at1 (i32.add (local.get $at0) (local.get $queryBytes)))
      (local.set $at2 (i32.add (local.get $at1) (local.get $queryBytes)))
      (local.set $at3 (i32.add (local.get $at2) (local.get $queryBytes)))
      (local.set $end (i32.add (local.get $row) (local.get $rowBytes)))
      (loop $values
        (local.set $low (v128.load8x8_s (local.get $row)))
        (local.set $high (v128.load8x8_s offset=8 (local.get $row)))
        (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $at0)))
          (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $at0))))))
        (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $at1)))
          (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $at1))))))
        (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $at2)))
          (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $at2))))))
        (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $at3)))
          (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $at3))))))
        (local.set $at0 (i32.add (local.get $at0) (i32.const 32)))
        (local.set $at1 (i32.add (local.get $at1) (i32.const 32)))
        (local.set $at2 (i32.add (local.get $at2) (i32.const 32)))
        (local.set $at3 (i32.add (local.get $at3) (i32.const 32)))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $values (i32.lt_u (local.get $row) (local.get $end))))
      (local.set $sum0 (call $sums (local.get $sum0) (local.get $sum1) (local.get $sum2) (local.get $sum3)))
      (local.set $at0 (local.get $out))
      (v128.store32_lane 0 (local.get $at0) (local.get $sum0))
      (local.set $at0 (i32.add (local.get $at0) (local.get $stride)))
      (v128.store32_lane 1 (local.get $at0) (local.get $sum0))
      (local.set $at0 (i32.add (local.get $at0) (local.get $stride)))
      (v128.store32_lane 2 (local.get $at0) (local.get $sum0))
      (local.set $at0 (i32.add (local.get $at0) (local.get $stride)))
      (v128.store32_lane 3 (local.get $at0) (local.get $sum0))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $out) (local.get $outEnd)))))

  ;; Nine queries of 7 bits in one pass, a byte a value, to which 64 was added: out[query * count + row] = row . query.
  ;; Where the processor multiplies and adds bytes in one instruction this takes half as long as 16-bit queries do. Queries
  ;; are interleaved: 16 values of the first, 16 of the second, … No product of bytes leaves the range in which relaxed
  ;; instructions agree.
  (func (export "roughNine")
    (param $row i32) (param $count i32) (param $rowBytes i32) (param $queries i32) (param $out i32)
    (local $end i32) (local $at i32) (local $outEnd i32) (local $stride i32)
    (local $codes v128) (local $total v128)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128) (local $sum4 v128)
    (local $sum5 v128) (local $sum6 v128) (local $sum7 v128) (local $sum8 v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $stride (i32.shl (local.get $count) (i32.const 2)))
    (local.set $outEnd (i32.add (local.get $out) (local.get $stride)))
    (loop $rows
      (local.set $total (v128.const i32x4 0 0 0 0))
      (local.set $sum0 (v128.const i32x4 0 0 0 0))
      (local.set $sum1 (v128.const i32x4 0 0 0 0))
      (local.set $sum2 (v128.const i32x4 0 0 0 0))
      (local.set $sum3 (v128.const i32x4 0 0 0 0))
      (local.set $sum4 (v128.const i32x4 0 0 0 0))
      (local.set $sum5 (v128.const i32x4 0 0 0 0))
      (local.set $sum6 (v128.const i32x4 0 0 0 0))
      (local.set $sum7 (v128.const i32x4 0 0 0 0))
      (local.set $sum8 (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $queries))
      (local.set $end (i32.add (local.get $row) (local.get $rowBytes)))
      (loop $values
        (local.set $codes (v128.load (local.get $row)))
        (local.set $total (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $codes) (v128.const i8x16 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1) (local.get $total)))
        (local.set $sum0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $codes) (v128.load (local.get $at)) (local.get $sum0)))
        (local.set $sum1 (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $codes) (v128.load offset=16 (local.get $at)) (local.get $sum1)))
        (local.set $sum2 (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $codes) (v128.load offset=32 (local.get $at)) (local.get $sum2)))
        (local.set $sum3 (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $codes) (v128.load offset=48 (local.get $at)) (local.get $sum3)))
        (local.set $sum4 (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $codes) (v128.load offset=64 (local.get $at)) (local.get $sum4)))
        (local.set $sum5 (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $codes) (v128.load offset=80 (local.get $at)) (local.get $sum5)))
        (local.set $sum6 (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $codes) (v128.load offset=96 (local.get $at)) (local.get $sum6)))
        (local.set $sum7 (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $codes) (v128.load offset=112 (local.get $at)) (local.get $sum7)))
        (local.set $sum8 (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (local.get $codes) (v128.load offset=128 (local.get $at)) (local.get $sum8)))
        (local.set $at (i32.add (local.get $at) (i32.const 144)))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $values (i32.lt_u (local.get $row) (local.get $end))))
      ;; The 64 that was added to every value adds 64 times the row's own sum.
      (local.set $codes (call $sums (local.get $sum8) (local.get $total) (local.get $sum8) (local.get $total)))
      (local.set $total (i32x4.shl (i32x4.splat (i32x4.extract_lane 1 (local.get $codes))) (i32.const 6)))
      (local.set $sum8 (i32x4.sub (local.get $codes) (local.get $total)))
      (local.set $sum0 (i32x4.sub
        (call $sums (local.get $sum0) (local.get $sum1) (local.get $sum2) (local.get $sum3)) (local.get $total)))
      (local.set $sum4 (i32x4.sub
        (call $sums (local.get $sum4) (local.get $sum5) (local.get $sum6) (local.get $sum7)) (local.get $total)))
      (local.set $at (local.get $out))
      (v128.store32_lane 0 (local.get $at) (local.get $sum0))
      (local.set $at (i32.add (local.get $at) (local.get $stride)))
      (v128.store32_lane 1 (local.get $at) (local.get $sum0))
      (local.set $at (i32.add (local.get $at) (local.get $stride)))
      (v128.store32_lane 2 (local.get $at) (local.get $sum0))
      (local.set $at (i32.add (local.get $at) (local.get $stride)))
      (v128.store32_lane 3 (local.get $at) (local.get $sum0))
      (local.set $at (i32.add (local.get $at) (local.get $stride)))
      (v128.store32_lane 0 (local.get $at) (local.get $sum4))
      (local.set $at (i32.add (local.get $at) (local.get $stride)))
      (v128.store32_lane 1 (local.get $at) (local.get $sum4))
      (local.set $at (i32.add (local.get $at) (local.get $stride)))
      (v128.store32_lane 2 (local.get $at) (local.get $sum4))
      (local.set $at (i32.add (local.get $at) (local.get $stride)))
      (v128.store32_lane 3 (local.get $at) (local.get $sum4))
      (local.set $at (i32.add (local.get $at) (local.get $stride)))
      (v128.store32_lane 0 (local.get $at) (local.get $sum8))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $out) (local.get $outEnd)))))

  ;; The places of those of `count` sums whose cosine may reach a floor: each is multiplied by a scale of its own and by
  ;; the query's: sum * scale + error * errorFactor >= floor, in single precision. Four at a time, so that up
  ;; to three places after the last may be among them. Returns how many were written to `out`.
  (func (export "reach")
    (param $sums i32) (param $count i32) (param $scales i32) (param $errors i32)
    (param $queryScale f32) (param $errorFactor f32) (param $floor f32) (param $out i32) (result i32)
    (local $at i32) (local $mask i32) (local $first i32)
    (local $scale v128) (local $factor v128) (local $least v128)
    (local.set $first (local.get $out))
    (local.set $scale (f32x4.splat (local.get $queryScale)))
    (local.set $factor (f32x4.splat (local.get $errorFactor)))
    (local.set $least (f32x4.splat (local.get $floor)))
    (loop $values
      (local.set $mask (i32x4.bitmask (f32x4.ge
        (f32x4.add
          (f32x4.mul
            (f32x4.mul (f32x4.convert_i32x4_s (v128.load (local.get $sums))) (local.get $scale))
            (v128.load (local.get $scales)))
          (f32x4.mul (v128.load (local.get $errors)) (local.get $factor)))
        (local.get $least))))
      (if (local.get $mask) (then
        (loop $found
          (i32.store (local.get $out) (i32.add (local.get $at) (i32.ctz (local.get $mask))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
          (br_if $found (local.get $mask)))))
      (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
      (local.set $errors (i32.add (local.get $errors) (i32.const 16)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $values (i32.lt_u (local.get $at) (local.get $count))))
    (i32.shr_u (i32.sub (local.get $out) (local.get $first)) (i32.const 2)))

  ;; Of packed bits, a multiple of 16 bytes each: out[row] = bits in which row and query differ
  (func (export "differ")
    (param $row i32) (param $count i32) (param $bytes i32) (param $query i32) (param $out i32)
    (local $end i32) (local $at i32) (local $outEnd i32) (local $sum v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $rows
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))
      (local.set $end (i32.add (local.get $row) (local.get $bytes)))
      (loop $values
        (local.set $sum (i16x8.add (local.get $sum) (i16x8.extadd_pairwise_i8x16_u
          (i8x16.popcnt (v128.xor (v128.load (local.get $row)) (v128.load (local.get $at)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $values (i32.lt_u (local.get $row) (local.get $end))))
      (i32.store (local.get $out) (call $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sum))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $out) (local.get $outEnd)))))

  ;; Two float32 vectors, one after the other, with ten queries in double precision, each summed in the order of the
  ;; dimensions. A product of two float32 values is exact in double precision: whether it is rounded before it is added
  ;; makes no difference, and the sums are those of a plain loop to the last bit. Queries are interleaved: value 0 of all
  ;; ten, value 1 of all ten, … The ten sums of the first vector go to `out`, then those of the second.
  (func (export "exactTen")
    (param $vector i32) (param $dimensions i32) (param $queries i32) (param $out i32)
    (local $end i32) (local $vectorBytes i32) (local $value v128) (local $other v128) (local $query v128)
    (local $first0 v128) (local $second0 v128)
    (local $first1 v128) (local $second1 v128)
    (local $first2 v128) (local $second2 v128)
    (local $first3 v128) (local $second3 v128)
    (local $first4 v128) (local $second4 v128)
    (local.set $vectorBytes (i32.shl (local.get $dimensions) (i32.const 2)))
    (local.set $end (i32.add (local.get $vector) (local.get $vectorBytes)))
    (loop $values
      (local.set $value (f64x2.promote_low_f32x4 (v128.load32_splat (local.get $vector))))
      (local.set $other (f64x2.promote_low_f32x4
        (v128.load32_splat (i32.add (local.get $vector) (local.get $vectorBytes)))))
      (local.set $query (v128.load (local.get $queries)))
      (local.set $first0 (f64x2.relaxed_madd (local.get $value) (local.get $query) (local.get $first0)))
      (local.set $second0 (f64x2.relaxed_madd (local.get $other) (local.get $query) (local.get $second0)))
      (local.set $query (v128.load offset=16 (local.get $queries)))
      (local.set $first1 (f64x2.relaxed_madd (local.get $value) (local.get $query) (local.get $first1)))
      (local.set $second1 (f64x2.relaxed_madd (local.get $other) (local.get $query) (local.get $second1)))
      (local.set $query (v128.load offset=32 (local.get $queries)))
      (local.set $first2 (f64x2.relaxed_madd (local.get $value) (local.get $query) (local.get $first2)))
      (local.set $second2 (f64x2.relaxed_madd (local.get $other) (local.get $query) (local.get $second2)))
      (local.set $query (v128.load offset=48 (local.get $queries)))
      (local.set $first3 (f64x2.relaxed_madd (local.get $value) (local.get $query) (local.get $first3)))
      (local.set $second3 (f64x2.relaxed_madd (local.get $other) (local.get $query) (local.get $second3)))
      (local.set $query (v128.load offset=64 (local.get $queries)))
      (local.set $first4 (f64x2.relaxed_madd (local.get $value) (local.get $query) (local.get $first4)))
      (local.set $second4 (f64x2.relaxed_madd (local.get $other) (local.get $query) (local.get $second4)))
      (local.set $queries (i32.add (local.get $queries) (i32.const 80)))
      (local.set $vector (i32.add (local.get $vector) (i32.const 4)))
      (br_if $values (i32.lt_u (local.get $vector) (local.get $end))))
    (v128.store (local.get $out) (local.get $first0))
    (v128.store offset=16 (local.get $out) (local.get $first1))
    (v128.store offset=32 (local.get $out) (local.get $first2))
    (v128.store offset=48 (local.get $out) (local.get $first3))
    (v128.store offset=64 (local.get $out) (local.get $first4))
    (v128.store offset=80 (local.get $out) (local.get $second0))
    (v128.store offset=96 (local.get $out) (local.get $second1))
    (v128.store offset=112 (local.get $out) (local.get $second2))
    (v128.store offset=128 (local.get $out) (local.get $second3))
    (v128.store offset=144 (local.get $out) (local.get $second4)))

  ;; The sums of four vectors' lanes, in their order.
  (func $sums (param $first v128) (param $second v128) (param $third v128) (param $fourth v128) (result v128)
    (local $low v128) (local $high v128)
    (local.set $low (i32x4.add
      (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $first) (local.get $second))
      (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $first) (local.get $second))))
    (local.set $high (i32x4.add
      (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $third) (local.get $fourth))
      (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $third) (local.get $fourth))))
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $low) (local.get $high))
      (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $low) (local.get $high))))

  (func $sum (param $lanes v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
      (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes))))))
