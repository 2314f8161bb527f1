//! A weight matrix in a form that multiplies quickly, whatever its format in the file.

use std::io::{Read, Seek};
use std::sync::Arc;

use candle_core::quantized::gguf_file::Content;
use candle_core::quantized::k_quants::{BlockQ8_0, GgmlType, QK8_0};
use candle_core::quantized::{GgmlDType, QMatMul, QTensor};
use candle_core::{Device, Module, Result, Tensor, bail};
use rayon::prelude::*;

// Chosen, not measured: converting costs the same for one row as for a thousand. A lower value
// slows down short prompts, a higher one long prompts; `cargo xtask bench local` shows both.
/// Number of input rows from which it is faster to convert the weights to dense numbers first than
/// to unpack them for each row.
const DENSE_FROM: usize = 12;

// 64 rows of the small model's 576 columns are 39 kB of blocks, about the L1 cache of a core. The
// 576 rows make nine strips, so that threads finish at about the same time.
/// Number of weight rows that one thread processes at a time.
const STRIP: usize = 64;

/// A linear map: a weight matrix and a bias.
#[derive(Debug)]
pub(super) struct Linear {
    held: WeightStorage,
    rows: usize,
    columns: usize,
    bias: Option<Tensor>,
}

#[derive(Debug)]
enum WeightStorage {
    /// Eight-bit weights that Agon's own threads multiply, so that it controls their number.
    Blocks(Vec<BlockQ8_0>),
    /// Weights as in the file, if the library has fast kernels for them. These use the library's
    /// threads.
    Stored(Arc<QTensor>),
}

/// The file from which the weights are read.
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

    /// Reads a matrix, and its bias if the file has one.
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

    /// Reads a vector of this length.
    pub(super) fn read_vector(&mut self, name: &str, length: usize) -> Result<Tensor> {
        self.read_tensor(name, &[length])?.dequantize(&Device::Cpu)
    }

    /// Reads a tensor, and checks that it has this shape.
    fn read_tensor(&mut self, name: &str, shape: &[usize]) -> Result<QTensor> {
        match self.content.tensor_infos.get(name) {
            Some(info) if info.shape.dims() == shape => {
                self.content.tensor(&mut self.file, name, &Device::Cpu)
            }
            Some(info) => bail!(
                "the tensor {name} has the unexpected shape {:?}",
                info.shape
            ),
            None => bail!("there is no tensor {name}"),
        }
    }
}

/// Number formats for which the library has fast kernels.
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
    /// Multiplies the matrix with `xs`. Input and product have one row for each token.
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

    /// Returns the embedding rows of these token ids.
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
                None => bail!("there is no token {id}"),
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
        // Multiply each weight row with all tokens while it is in the cache.
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

/// Computes the products of some weight rows with every token; `product` has a row for each weight
/// row.
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
