import { expect, it } from 'vitest'
import { imagesRequested } from './image-count.ts'

it.each([
  [{}, 1],
  [{ n: 0 }, 1],
  [{ n: '3' }, 3],
  [{ batch_size: 4 }, 4],
  [{ n: 2, num_outputs: '4' }, 4],
  [{ sequential_image_generation: 'disabled' }, 1],
  [{ sequential_image_generation: 'auto' }, 15],
  [{ sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 4 } }, 4],
  [{ sequential_image_generation: 'auto', sequential_image_generation_options: '{"max_images":5}' }, 5],
  [{ sequential_image_generation: 'auto', max_images: 6 }, 6],
])('counts %j as %d images', (body, count) => {
  expect(imagesRequested(body)).toBe(count)
})

it.each([
  [{ batch_size: 11 }, 'batch_size'],
  [{ num_outputs: -1 }, 'num_outputs'],
  [{ n: 1.5 }, 'n'],
  [{ sequential_image_generation: 'auto', max_images: 1e9 }, 'max_images'],
])('rejects the image count in %j', (body, param) => {
  expect(() => imagesRequested(body)).toThrow(
    expect.objectContaining({ parameters: expect.objectContaining({ param }) }),
  )
})
