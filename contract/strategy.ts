import * as v from 'valibot'

/**
 * Permutation strategies by id. What each does is documented where it is implemented (native/permutation); the
 * science is in HiNM (arXiv 2407.20496) section 4 and its comparators.
 */
export interface StrategyInfo {
  id: string
  label: string
  meaning: string
  source: string
}

export const strategies = [
  { id: 'none', label: 'none', meaning: 'the original order of output and input channels', source: '' },
  { id: 'random', label: 'random', meaning: 'the best of ten random orders, or of as many as the budget allows', source: '' },
  {
    id: 'snake',
    label: 'snake',
    meaning: 'each tile: columns sorted by sum and dealt to the groups in alternating direction',
    source: 'RIA, ICLR 2024, heuristic channel allocation',
  },
  {
    id: 'ovw',
    label: 'OVW',
    meaning: 'output channels grouped by balanced k-means; input order untouched',
    source: 'Tan et al., Accelerating Sparse Convolution with Column Vector-Wise Sparsity, NeurIPS 2022',
  },
  {
    id: 'tetris',
    label: 'Tetris',
    meaning: 'output channels: with every tile’s kept columns fixed the best pair is exchanged, then the columns are chosen anew; input order untouched',
    source: 'Ji et al., TETRIS, NeurIPS 2018',
  },
  {
    id: 'apex-swap',
    label: 'Apex channel swap',
    meaning: 'one column order for all rows by greedy exchanges of two columns, as published',
    source: 'Apex; Pool and Yu, Channel Permutations for N:M Sparsity, NeurIPS 2021',
  },
  {
    id: 'apex-stripes',
    label: 'Apex stripe groups (8)',
    meaning: 'one column order for all rows by the best of 35 partitions of two stripes, as published',
    source: 'Apex; Pool and Yu, Channel Permutations for N:M Sparsity, NeurIPS 2021',
  },
  {
    id: 'apex-stripes-12',
    label: 'Apex stripe groups (12)',
    meaning: 'the same with three stripes and 5,775 partitions; at most 32 stripes',
    source: 'Apex; Pool and Yu, Channel Permutations for N:M Sparsity, NeurIPS 2021',
  },
  {
    id: 'apex-swap-tile',
    label: 'Apex channel swap per tile',
    meaning: 'greedy exchanges of two columns in every tile',
    source: 'Apex; Pool and Yu, Channel Permutations for N:M Sparsity, NeurIPS 2021',
  },
  {
    id: 'apex-stripes-tile',
    label: 'Apex stripe groups per tile',
    meaning: 'the best of 35 partitions of two stripes in every tile',
    source: 'Apex; Pool and Yu, Channel Permutations for N:M Sparsity, NeurIPS 2021',
  },
  { id: 'ria-lsa', label: 'RIA-LSA', meaning: 'snake, then one linear-sum assignment for each slot of the groups in turn', source: 'RIA, ICLR 2024' },
  { id: 'gyro-output', label: 'gyro, output only', meaning: 'the output side of gyro-permutation, no input step', source: 'HiNM, arXiv 2407.20496, section 4' },
  {
    id: 'gyro-input',
    label: 'gyro, input only',
    meaning: 'the input side of gyro-permutation in every tile, output order untouched',
    source: 'HiNM, arXiv 2407.20496, section 4',
  },
  {
    id: 'ovw-gyro-input',
    label: 'OVW + gyro input (V1)',
    meaning: 'output order by OVW, input order by gyro: the ablation V1 of HiNM',
    source: 'HiNM, arXiv 2407.20496, section 5',
  },
  { id: 'tetris-gyro-input', label: 'Tetris + gyro input', meaning: 'output order by Tetris, input order by gyro', source: '' },
  {
    id: 'gyro-output-apex',
    label: 'gyro output + Apex (V2)',
    meaning: 'output order by gyro, input order by Apex stripe groups per tile: the ablation V2 of HiNM',
    source: 'HiNM, arXiv 2407.20496, section 5',
  },
  {
    id: 'gyro-1',
    label: 'gyro, 1 try',
    meaning: 'gyro-permutation; a stage ends after its first failed try, the published stopping rule',
    source: 'HiNM, arXiv 2407.20496, section 4',
  },
  {
    id: 'gyro',
    label: 'gyro',
    meaning: 'gyro-permutation: output order, then input order, by sampling, clustering and assignment (3 tries a stage)',
    source: 'HiNM, arXiv 2407.20496, section 4',
  },
  {
    id: 'gyro-published',
    label: 'gyro (as published)',
    meaning:
      'gyro with the sum that the authors’ code optimises: it counts the kept columns where the pruned ones belong, another objective unless half of the columns go',
    source: 'HiNM, arXiv 2407.20496, section 4, and the faults listed for its public code',
  },
  {
    id: 'gyro-iterated',
    label: 'gyro, iterated',
    meaning: 'the gyro schedule repeated from its own result until the budget ends, then the input side',
    source: 'HiNM, arXiv 2407.20496, section 4, with a longer budget',
  },
  {
    id: 'row-swaps',
    label: 'row swaps',
    meaning: 'random pairs of output channels exchanged when the vector objective grows, then the input side of gyro',
    source: '',
  },
  {
    id: 'gyro-plus',
    label: 'gyro-plus',
    meaning:
      'own method: k-means and Tetris, then annealed exchanges of output channels on scores priced by what n:m leaves, gyro’s assignments per tile, and exchanges with pruned columns',
    source: '',
  },
] as const satisfies readonly StrategyInfo[]

export const strategyIds = strategies.map((strategy) => strategy.id)
export const StrategyId = v.picklist(strategyIds)
export type StrategyId = v.InferOutput<typeof StrategyId>
