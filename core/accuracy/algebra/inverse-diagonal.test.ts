import { describe, expect, it } from 'vitest'
import { inverseDiagonal } from './inverse-diagonal.ts'

describe('the diagonal of an inverse', () => {
  it('is right for a matrix that can be inverted by hand', async () => {
    // [[4 2] [2 3]] has determinant 8 and inverse [[3 -2] [-2 4]] / 8
    expect([...(await inverseDiagonal(Float64Array.of(4, 2, 2, 3), 2))]).toEqual([expect.closeTo(3 / 8, 12), expect.closeTo(4 / 8, 12)])
  })

  it('is right for a larger one: H = D + u·uᵀ, by the formula of Sherman and Morrison', async () => {
    const size = 60
    const [d, u] = [(i: number): number => 1 + (i % 7), (i: number): number => Math.sin(i + 1)]
    const matrix = Float64Array.from(
      { length: size * size },
      (_, i) => u(Math.floor(i / size)) * u(i % size) + (Math.floor(i / size) === i % size ? d(i % size) : 0),
    )
    const denominator = 1 + Array.from({ length: size }, (_, i) => u(i) ** 2 / d(i)).reduce((sum, term) => sum + term, 0)
    const found = await inverseDiagonal(matrix, size)
    found.forEach((value, i) => {
      expect(value).toBeCloseTo(1 / d(i) - u(i) ** 2 / d(i) ** 2 / denominator, 10)
    })
  })

  it('says where a matrix is not positive definite', async () => {
    await expect(inverseDiagonal(Float64Array.of(1, 2, 2, 1), 2)).rejects.toMatchObject({
      code: 'NOT_FINITE',
      message: expect.stringContaining('at input 1') as string,
    })
  })
})
