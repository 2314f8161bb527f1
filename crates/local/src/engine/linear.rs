//! One matrix of weights, held so that it multiplies fast whatever the file has it as.

use std::io::{Read, Seek};
use std::sync::Arc;

use candle_core::quantized::gguf_file::Content;
use candle_core::quantized::k_quants::{BlockQ8_0, GgmlType, QK8_0};
use candle_core::quantized::{GgmlDType, QMatMul, QTensor};
use candle_core::{Device, Module, Result, Tensor, bail};
use rayon::prelude::*;

// Chosen, not measured: unpacking costs the same for one row and for a thousand. Lower slows short
// prompts, higher long ones; `cargo xtask bench local` shows both.
/// From so many rows on, dense numbers are faster than blocks that are taken apart for each row.
const DENSE_FROM: usize = 12;

// 64 rows of the small model's 576 columns are 39 kB of blocks, about the first cache of a core;
// its 576 rows are nine strips, so that threads end about together.
/// Rows of weights that one thread takes at a time.
const STRIP: usize = 64;

/// A linear map: rows of weights, and what is added to the product.
#[derive(Debug)]
pub(super) struct Linear {
    held: WeightStorage,
    rows: usize,
    columns: usize,
    bias: Option<Tensor>,
}

#[derive(Debug)]
enum WeightStorage {
    /// Eight bits a weight: our own threads go through them, so that their number is ours.
    Blocks(Vec<BlockQ8_0>),
    /// As it is in the file, where the library has fast ways for that; its products run in threads
    /// of the library.
    Stored(Arc<QTensor>),
}

/// Where the weights come from.
pub(super) struct Weights<'a, R> {
    content: &'a Content,
    file: R,
}

impl<'a, R: Read + Seek> Weights<'a, R> {
    pub(super) fn new(content: &'a Content, file: R) -> Self {
        Self { content, file }
    }

    pub(super) fn has_tensor(&self, name: &str) -> bool {
        self.content.tensor_infos.contains_key(name)
    }

    /// A matrix with its bias, where the file has one.
    pub(super) fn read_linear(
        &mut self,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> Result<Linear> {
        let stored = self.read_tensor(&format!("{name}.weight"), &[rows, columns])?;
        let bias = format!("{name}.bias");
        let bias = self
            .has_tensor(&bias)
            .then(|| self.read_vector(&bias, rows));
        Ok(Linear {
            held: WeightStorage::from_tensor(stored, columns)?,
            rows,
            columns,
            bias: bias.transpose()?,
        })
    }

    /// A list of numbers of this length.
    pub(super) fn read_vector(&mut self, name: &str, length: usize) -> Result<Tensor> {
        self.read_tensor(name, &[length])?.dequantize(&Device::Cpu)
    }

    /// A tensor of this shape: it is compared before anything is read by it.
    fn read_tensor(&mut self, name: &str, shape: &[usize]) -> Result<QTensor> {
        match self.content.tensor_infos.get(name) {
            Some(info) if info.shape.dims() == shape => {
                self.content.tensor(&mut self.file, name, &Device::Cpu)
            }
            Some(info) => bail!("the tensor {name} has the shape {:?}", info.shape),
            None => bail!("there is no tensor {name}"),
        }
    }
}

/// Kinds of numbers that the library multiplies fast by itself.
const FAST: [GgmlDType; 7] = [
    GgmlDType::Q4_0,
    GgmlDType::Q2K,
    GgmlDType::Q3K,
    GgmlDType::Q4K,
    GgmlDType::Q5K,
    GgmlDType::Q6K,
    GgmlDType::Q8K,
];

impl WeightStorage {
    fn from_tensor(stored: QTensor, columns: usize) -> Result<Self> {
        if FAST.contains(&stored.dtype()) || !columns.is_multiple_of(QK8_0) {
            return Ok(Self::Stored(Arc::new(stored)));
        }
        let numbers = stored
            .dequantize(&Device::Cpu)?
            .flatten_all()?
            .to_vec1::<f32>()?;
        let mut blocks = vec![BlockQ8_0::zeros(); numbers.len() / QK8_0];
        let strips = blocks.par_chunks_mut(STRIP);
        strips
            .zip(numbers.par_chunks(STRIP * QK8_0))
            .for_each(|(blocks, numbers)| BlockQ8_0::from_float(numbers, blocks));
        Ok(Self::Blocks(blocks))
    }
}

impl Linear {
    /// `xs` has a row for each token; so has the product.
    pub(super) fn forward(&self, xs: &Tensor) -> Result<Tensor> {
        let product = match &self.held {
            WeightStorage::Stored(stored) => QMatMul::from_arc(Arc::clone(stored))?.forward(xs)?,
            WeightStorage::Blocks(blocks) if xs.dim(0)? >= DENSE_FROM => {
                xs.matmul(&self.dequantize(blocks)?.t()?)?
            }
            WeightStorage::Blocks(blocks) => self.multiply_blocks(blocks, xs)?,
        };
        match &self.bias {
            Some(bias) => product.broadcast_add(bias),
            None => Ok(product),
        }
    }

    /// The embedding rows of these token ids.
    pub(super) fn lookup_rows(&self, ids: &[u32]) -> Result<Tensor> {
        let blocks = match &self.held {
            WeightStorage::Stored(stored) => {
                return stored.embedding(&Tensor::new(ids, &Device::Cpu)?);
            }
            WeightStorage::Blocks(blocks) => blocks,
        };
        let wide = self.columns / QK8_0;
        let mut rows = vec![0.0; ids.len() * self.columns];
        for (&id, row) in ids.iter().zip(rows.chunks_mut(self.columns)) {
            let at = id as usize * wide;
            match blocks.get(at..at + wide) {
                Some(blocks) => BlockQ8_0::to_float(blocks, row),
                None => bail!("there is no word {id}"),
            }
        }
        Tensor::from_vec(rows, (ids.len(), self.columns), &Device::Cpu)
    }

    fn dequantize(&self, blocks: &[BlockQ8_0]) -> Result<Tensor> {
        let mut dense = vec![0.0; self.rows * self.columns];
        let strips = dense.par_chunks_mut(STRIP * QK8_0);
        strips
            .zip(blocks.par_chunks(STRIP))
            .for_each(|(dense, blocks)| BlockQ8_0::to_float(blocks, dense));
        Tensor::from_vec(dense, (self.rows, self.columns), &Device::Cpu)
    }

    fn multiply_blocks(&self, blocks: &[BlockQ8_0], xs: &Tensor) -> Result<Tensor> {
        let tokens = xs.dim(0)?;
        let wide = self.columns / QK8_0;
        let numbers = xs.flatten_all()?.to_vec1::<f32>()?;
        let mut given = vec![BlockQ8_0::zeros(); tokens * wide];
        BlockQ8_0::from_float(&numbers, &mut given);
        // A row of weights is gone through for all tokens while it is near.
        let mut product = vec![0.0; self.rows * tokens];
        let strips = product.par_chunks_mut(STRIP * tokens);
        strips
            .zip(blocks.par_chunks(STRIP * wide))
            .for_each(|(product, blocks)| {
                multiply_strip(product, blocks, &given, tokens, self.columns);
            });
        let product = Tensor::from_vec(product, (self.rows, tokens), &Device::Cpu)?;
        product.t()?.contiguous()
    }
}

/// The products of some rows of weights with every token: `product` has a row for each weight row.
fn multiply_strip(
    product: &mut [f32],
    blocks: &[BlockQ8_0],
    given: &[BlockQ8_0],
    tokens: usize,
    columns: usize,
) {
    let wide = columns / QK8_0;
    for (four, product) in blocks.chunks(4 * wide).zip(product.chunks_mut(4 * tokens)) {
        let mut rows = four.chunks_exact(wide);
        let quad = (rows.next(), rows.next(), rows.next(), rows.next());
        for (token, given) in given.chunks_exact(wide).enumerate() {
            if let (Some(a), Some(b), Some(c), Some(d)) = quad {
                let (a, b, c, d) = BlockQ8_0::vec_dot_4(columns, a, b, c, d, given);
                for (row, value) in [a, b, c, d].into_iter().enumerate() {
                    product[row * tokens + token] = value;
                }
            } else {
                for (row, blocks) in four.chunks_exact(wide).enumerate() {
                    product[row * tokens + token] = BlockQ8_0::vec_dot(columns, blocks, given);
                }
            }
        }
    }
}
