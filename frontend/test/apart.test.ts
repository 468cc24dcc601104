import assert from "node:assert/strict";
import { test } from "node:test";
import { apartFrom, apartIn, withoutShared } from "../src/views/apart";

const LAYER = "gradient_tape/model/conv4_block1_2_conv/Conv2D/Conv2DBackpropFilter";

test("names that begin alike are told apart by as much of their ends as they share, and some more", () => {
  const other = LAYER.replace("block1", "block2");
  assert.equal(apartFrom([LAYER, other, LAYER]), "_2_conv/Conv2D/Conv2DBackpropFilter".length + 6);
  assert.equal(apartFrom(["model/layer/a1", "model/layer/a2"]), 6);
});

test("names that already differ at their begin need no more, nor does one alone", () => {
  assert.equal(apartFrom([LAYER, LAYER.replace("gradient", "backward")]), 0);
  assert.equal(apartFrom([LAYER, LAYER, null, 7]), 0);
  assert.equal(apartFrom([]), 0);
});

test("what no column has room for is not asked for", () => {
  const end = "x".repeat(500);
  assert.equal(apartFrom([`kernel_name_1${end}`, `kernel_name_2${end}`]), 72);
});

const layer = (replica: number, index: number): string =>
  `replica_${replica}/labeler/encoder_1/transformer/layer_${index}/self_attention/random_uniform/RandomUniform`;

test("what names of a list share is left out between their begin and their end", () => {
  const names = [layer(1, 0), layer(1, 11), layer(2, 0), "MemcpyH2D", null];
  const short = withoutShared(names);
  assert.equal(short.get(layer(1, 11)), "replica_1/…/layer_11/…/RandomUniform");
  assert.equal(short.get(layer(2, 0)), "replica_2/…/layer_0/…/RandomUniform");
  assert.equal(short.size, 3);
});

test("arguments of templates are parts, and what is short is not left out", () => {
  const kernel = (type: string): string => `vectorized_kernel<4, at::native::Functor<${type}>, Array<char*, 3> >`;
  const short = withoutShared([kernel("float"), kernel("half")]);
  assert.equal(short.get(kernel("half")), "vectorized_kernel<…<half>,…, 3> >");
});

test("names stay whole where they would look the same, or share nothing", () => {
  const two = ["m/shared_part/a/x/Op", "m/shared_part/b/x/Op"];
  assert.deepEqual([...withoutShared(two).values()], ["m/…/a/x/Op", "m/…/b/x/Op"]);
  assert.equal(withoutShared([...two, ...two.map((name) => name.replace("_", "/"))]).size, 0);
  assert.equal(withoutShared(["a/b/Op", "c/d/Op", "alone/in/its/list/of/parts"]).size, 0);
  assert.equal(withoutShared([]).size, 0);
});

test("only names that do not fit are shortened, and the ends that differ are of what is shown", () => {
  const names = [layer(1, 0), layer(1, 1), "x/y/z"];
  assert.deepEqual(apartIn(names, 200), { short: new Map(), end: 0 });
  assert.equal(apartIn(names, 60).short.size, 2);
  assert.equal(apartIn(names, 60).end, "/…/RandomUniform".length + 6);
});

test("where there is room for little, a path begins with what differs", () => {
  const names = [1, 2, 3].map((block) => LAYER.replace("block1", `block${block}`));
  assert.equal(apartIn(names, 50).short.get(names[1]!), "gradient_tape/…/conv4_block2_2_conv/…/Conv2DBackpropFilter");
  assert.equal(apartIn(names, 24).short.get(names[1]!), "…/conv4_block2_2_conv/…/Conv2DBackpropFilter");
  const kernels = ["float", "half"].map(
    (type) => `vectorized_elementwise_kernel<4, Functor<${type}>, Array<char*, 3> >`,
  );
  assert.match(apartIn(kernels, 12).short.get(kernels[0]!)!, /^vect…float>/);
});

test("names that still look alike are seen from the word on in which they differ", () => {
  const kernel = (work: string): string =>
    `void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl<at::native::${work}>>::{lambda(int)#1})`;
  const names = [kernel("BinaryFunctor<float"), kernel("direct_copy_kernel"), "attn_fwd"];
  const { short } = apartIn(names, 30);
  assert.deepEqual(
    names.map((name) => (short.get(name) ?? name).slice(0, 29)),
    ["void at:…BinaryFunctor<float>", "void at:…direct_copy_kernel>>", "attn_fwd"],
  );
  const products = ["wgrad", "dgrad"].map(
    (way) => `sm80_xmma_${way}_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc`,
  );
  assert.match(apartIn(products, 30).short.get(products[0]!)!, /^sm80_xmma_wgrad_implicit/);
  assert.match(apartIn(names, 16).short.get(names[0]!)!, /^void…BinaryFunctor/);
  assert.equal(apartIn([names[0]!, "attn_fwd"], 30).short.size, 0);
});
