//! The forward pass of models with the architecture of SmolLM2 or Qwen 2.5.

use std::io::{Read, Seek};

use candle_core::quantized::gguf_file::{Content, Value};
use candle_core::{Device, Result, Tensor, bail};
use candle_nn::ops::{rms_norm, silu, softmax_last_dim};
use candle_nn::rotary_emb::{rope, rope_i};

use super::linear::{Linear, Weights};

// Each token has an attention score for every earlier token. With 4,096 earlier tokens, that is 4
// MB per head of a layer.
/// Number of prompt tokens processed at once; more would need much memory without being faster.
const AT_ONCE: usize = 256;

/// The result of running tokens through the model.
pub(super) enum Pass {
    /// The logits of the last token.
    Logits(Vec<f32>),
    /// The pass was halted.
    Halted,
}

/// A model with its key-value cache.
#[derive(Debug)]
pub(super) struct Llama {
    sizes: Sizes,
    embeddings: Linear,
    layers: Vec<Layer>,
    norm: Tensor,
    /// The output matrix; `None` if the embeddings are used for that too.
    output: Option<Linear>,
    rope: (Tensor, Tensor),
}

#[derive(Clone, Copy, Debug)]
struct Sizes {
    width: usize,
    heads: usize,
    /// The number of key-value heads, each shared by several query heads (grouped-query attention).
    kv_heads: usize,
    head: usize,
    ffn_size: usize,
    layers: usize,
    context: usize,
    epsilon: f32,
    rope_base: f32,
    /// Which numbers of a head RoPE rotates together: adjacent pairs, or the two halves.
    rope_in_pairs: bool,
}

#[derive(Debug)]
struct Layer {
    attention_norm: Tensor,
    query: Linear,
    key: Linear,
    value: Linear,
    out: Linear,
    ffn_norm: Tensor,
    gate: Linear,
    up: Linear,
    down: Linear,
    /// Keys and values of all tokens so far.
    keys: Tensor,
    values: Tensor,
}

impl Sizes {
    fn from_metadata(content: &Content, context: usize) -> Result<Self> {
        let architecture = metadata_text(content, "general.architecture")?;
        let rope_in_pairs = match architecture {
            "llama" => true,
            "qwen2" => false,
            other => {
                bail!("unsupported model architecture `{other}`; supported are llama and qwen2")
            }
        };
        let size = |key: &str| metadata_number(content, &format!("{architecture}.{key}"));
        let sizes = Self {
            width: size("embedding_length")?,
            heads: size("attention.head_count")?,
            kv_heads: size("attention.head_count_kv")?,
            head: 0,
            ffn_size: size("feed_forward_length")?,
            layers: size("block_count")?,
            context: context.min(size("context_length")?),
            epsilon: metadata_float(
                content,
                &format!("{architecture}.attention.layer_norm_rms_epsilon"),
            )?,
            rope_base: metadata_float(content, &format!("{architecture}.rope.freq_base"))
                .unwrap_or(1e4),
            rope_in_pairs,
        };
        let least = [
            sizes.width,
            sizes.heads,
            sizes.kv_heads,
            sizes.ffn_size,
            sizes.layers,
            sizes.context,
        ];
        if least.contains(&0) {
            bail!("one of its sizes is zero: {sizes:?}");
        }
        let grouped = sizes.heads.is_multiple_of(sizes.kv_heads);
        // RoPE rotates the numbers of a head in pairs, so their count must be even.
        let paired = sizes.width.is_multiple_of(2 * sizes.heads);
        if !grouped || !paired {
            bail!(
                "{} attention heads do not divide a width of {}",
                sizes.heads,
                sizes.width
            );
        }
        let head = sizes.width / sizes.heads;
        let turned = format!("{architecture}.rope.dimension_count");
        let turned = metadata_number(content, &turned).unwrap_or(head);
        let stretched = metadata_text(content, &format!("{architecture}.rope.scaling.type"));
        let stretched = stretched.unwrap_or("none") != "none";
        if turned != head || stretched || content.tensor_infos.contains_key("rope_freqs.weight") {
            bail!("unsupported position encoding (RoPE variant)");
        }
        Ok(Self { head, ..sizes })
    }
}

impl Llama {
    /// Reads a model with a vocabulary of `rows` tokens and a context of at most `context` tokens.
    pub(super) fn read(
        content: &Content,
        file: impl Read + Seek,
        rows: usize,
        context: usize,
    ) -> Result<Self> {
        let sizes = Sizes::from_metadata(content, context)?;
        let mut weights = Weights::new(content, file);
        let embeddings = weights.read_linear("token_embd", rows, sizes.width)?;
        let layers = (0..sizes.layers).map(|at| Layer::read(&mut weights, at, &sizes));
        let layers = layers.collect::<Result<_>>()?;
        let norm = weights.read_vector("output_norm.weight", sizes.width)?;
        let output = weights.has_tensor("output.weight");
        let output = output.then(|| weights.read_linear("output", rows, sizes.width));
        Ok(Self {
            sizes,
            embeddings,
            layers,
            norm,
            output: output.transpose()?,
            rope: rope_angles(&sizes)?,
        })
    }

    /// Returns the size of the model's context in tokens.
    pub(super) fn context_size(&self) -> usize {
        self.sizes.context
    }

    /// Processes `tokens` after the first `known` ones, and returns the logits of the next token.
    ///
    /// Calls `halt` between layers. The tokens of a halted pass do not count as processed.
    pub(super) fn forward(
        &mut self,
        tokens: &[u32],
        known: usize,
        halt: &dyn Fn() -> bool,
    ) -> Result<Pass> {
        let mut known = known;
        let mut last = None;
        for part in tokens.chunks(AT_ONCE) {
            match self.forward_chunk(part, known, halt)? {
                Some(row) => last = Some(row),
                None => return Ok(Pass::Halted),
            }
            known += part.len();
        }
        let Some(row) = last else {
            bail!("there are no tokens to process");
        };
        let row = rms_norm(&row, &self.norm, self.sizes.epsilon)?;
        let logits = self
            .output
            .as_ref()
            .unwrap_or(&self.embeddings)
            .forward(&row)?;
        Ok(Pass::Logits(logits.flatten_all()?.to_vec1()?))
    }

    /// Runs one chunk of tokens through the layers and returns the hidden state of its last token;
    /// `None` if halted.
    fn forward_chunk(
        &mut self,
        tokens: &[u32],
        known: usize,
        halt: &dyn Fn() -> bool,
    ) -> Result<Option<Tensor>> {
        let count = tokens.len();
        if known + count > self.sizes.context {
            bail!("more than {} tokens", self.sizes.context);
        }
        let cos = self.rope.0.narrow(0, known, count)?;
        let sin = self.rope.1.narrow(0, known, count)?;
        let mask = (count > 1).then(|| causal_mask(count, known)).transpose()?;
        let here = PassPositions {
            known,
            cos,
            sin,
            mask,
        };
        let mut xs = self.embeddings.lookup_rows(tokens)?;
        for layer in &mut self.layers {
            if halt() {
                return Ok(None);
            }
            xs = layer.forward(&xs, &here, &self.sizes)?;
        }
        xs.narrow(0, count - 1, 1)?.contiguous().map(Some)
    }
}

/// The position-dependent inputs of a pass: cached tokens, rotation angles and causal mask.
struct PassPositions {
    known: usize,
    cos: Tensor,
    sin: Tensor,
    mask: Option<Tensor>,
}

impl Layer {
    fn read<R: Read + Seek>(
        weights: &mut Weights<'_, R>,
        at: usize,
        sizes: &Sizes,
    ) -> Result<Self> {
        let name = |part: &str| format!("blk.{at}.{part}");
        let (width, narrow) = (sizes.width, sizes.kv_heads * sizes.head);
        let empty_cache = || {
            let shape = (sizes.kv_heads, sizes.context, sizes.head);
            Tensor::zeros(shape, candle_core::DType::F32, &Device::Cpu)
        };
        Ok(Self {
            attention_norm: weights.read_vector(&name("attn_norm.weight"), width)?,
            query: weights.read_linear(&name("attn_q"), width, width)?,
            key: weights.read_linear(&name("attn_k"), narrow, width)?,
            value: weights.read_linear(&name("attn_v"), narrow, width)?,
            out: weights.read_linear(&name("attn_output"), width, width)?,
            ffn_norm: weights.read_vector(&name("ffn_norm.weight"), width)?,
            gate: weights.read_linear(&name("ffn_gate"), sizes.ffn_size, width)?,
            up: weights.read_linear(&name("ffn_up"), sizes.ffn_size, width)?,
            down: weights.read_linear(&name("ffn_down"), width, sizes.ffn_size)?,
            keys: empty_cache()?,
            values: empty_cache()?,
        })
    }

    fn forward(&self, xs: &Tensor, here: &PassPositions, sizes: &Sizes) -> Result<Tensor> {
        let normed = rms_norm(xs, &self.attention_norm, sizes.epsilon)?;
        let xs = (xs + self.attend(&normed, here, sizes)?)?;
        let normed = rms_norm(&xs, &self.ffn_norm, sizes.epsilon)?;
        let gated = (silu(&self.gate.forward(&normed)?)? * self.up.forward(&normed)?)?;
        xs + self.down.forward(&gated)?
    }

    fn attend(&self, xs: &Tensor, here: &PassPositions, sizes: &Sizes) -> Result<Tensor> {
        let Sizes {
            heads,
            kv_heads,
            head,
            width,
            ..
        } = *sizes;
        let count = xs.dim(0)?;
        let by_head = |xs: Tensor, heads: usize| {
            xs.reshape((count, heads, head))?
                .transpose(0, 1)?
                .contiguous()
        };
        let turned = |xs: Tensor| {
            let xs = xs.unsqueeze(0)?;
            let turned = if sizes.rope_in_pairs {
                rope_i(&xs, &here.cos, &here.sin)
            } else {
                rope(&xs, &here.cos, &here.sin)
            };
            turned?.squeeze(0)
        };
        let query = turned(by_head(self.query.forward(xs)?, heads)?)?;
        let key = turned(by_head(self.key.forward(xs)?, kv_heads)?)?;
        let value = by_head(self.value.forward(xs)?, kv_heads)?;
        self.keys.slice_set(&key, 1, here.known)?;
        self.values.slice_set(&value, 1, here.known)?;

        // Query heads that share keys and values are processed as further tokens of one head.
        let all = here.known + count;
        let query = (query * (1.0 / (head as f64).sqrt()))?;
        let query = query.reshape((kv_heads, heads / kv_heads * count, head))?;
        let keys = self.keys.narrow(1, 0, all)?;
        let mut scores = query.matmul(&keys.transpose(1, 2)?)?;
        if let Some(mask) = &here.mask {
            let open = scores.reshape((heads, count, all))?;
            scores =
                open.broadcast_add(mask)?
                    .reshape((kv_heads, heads / kv_heads * count, all))?;
        }
        let scores = softmax_last_dim(&scores)?;
        let mixed = scores.matmul(&self.values.narrow(1, 0, all)?)?;
        let mixed = mixed.reshape((heads, count, head))?.transpose(0, 1)?;
        self.out
            .forward(&mixed.contiguous()?.reshape((count, width))?)
    }
}

/// Returns the cosines and sines with which RoPE rotates each position.
fn rope_angles(sizes: &Sizes) -> Result<(Tensor, Tensor)> {
    let half = sizes.head / 2;
    let slow = (0..half).map(|at| {
        let at = 2.0 * at as f32 / sizes.head as f32;
        1.0 / sizes.rope_base.powf(at)
    });
    let slow: Vec<f32> = slow.collect();
    let slow = Tensor::from_vec(slow, (1, half), &Device::Cpu)?;
    let places: Vec<f32> = (0..sizes.context).map(|at| at as f32).collect();
    let places = Tensor::from_vec(places, (sizes.context, 1), &Device::Cpu)?;
    let angles = places.matmul(&slow)?;
    Ok((angles.cos()?, angles.sin()?))
}

/// Returns the causal mask of `count` tokens after `known` cached ones: minus infinity where a
/// token must not see a later one.
fn causal_mask(count: usize, known: usize) -> Result<Tensor> {
    let all = known + count;
    let hidden = |token: usize, at: usize| {
        if at > known + token {
            f32::NEG_INFINITY
        } else {
            0.0
        }
    };
    let cells = (0..count).flat_map(|token| (0..all).map(move |at| hidden(token, at)));
    Tensor::from_vec(cells.collect::<Vec<f32>>(), (1, count, all), &Device::Cpu)
}

pub(super) fn metadata_text<'a>(content: &'a Content, key: &str) -> Result<&'a str> {
    Ok(metadata_entry(content, key)?.to_string()?)
}

pub(super) fn metadata_number(content: &Content, key: &str) -> Result<usize> {
    Ok(metadata_entry(content, key)?.to_u32()? as usize)
}

fn metadata_float(content: &Content, key: &str) -> Result<f32> {
    metadata_entry(content, key)?.to_f32()
}

fn metadata_entry<'a>(content: &'a Content, key: &str) -> Result<&'a Value> {
    match content.metadata.get(key) {
        Some(value) => Ok(value),
        None => bail!("the file does not contain `{key}`"),
    }
}
