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
  { num_images: 4 },
  { numImages: '4' },
  { samples: 4 },
  { image_num: 4 },
  { number_of_images: 4 },
  { sampleCount: 4 },
  { num: 4 },
  { 'Num-Outputs': 4 },
  { N: 4 },
  { nսm_images: 3, num_imagеs: 4 },
  { parameters: { sampleCount: 4 } },
  { extra_fields: { n: 4 } },
  { extra_body: { parameters: { number_of_images: 4 } } },
  { parameters: '{"n":4}' },
  { n: 1, quantity: 4.0 },
])('counts the images of %j under every name that a vendor may read', (body) => {
  expect(imagesRequested({ prompt: 'x', ...body })).toBe(4)
})

it.each([
  [{ samples: 1e9 }, 10],
  [{ num: -4 }, 1],
  [{ count: 'many' }, 1],
  [{ metadata: { n: 4 }, messages: [{ n: 4 }] }, 1],
])('a name that few vendors know is no reason to refuse: %j', (body, count) => {
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
