import { expect, it } from 'vitest'
import { readAsk } from '../ask.ts'
import { countInput } from '../tokens/count.ts'
import { readFormAsk } from './read-form-ask.ts'

const LIKELY = 323
const MOST = 6_700
const DATA = 'data:image/png;base64,iVBORw0KGgo='

it.each([
  [{ image: DATA }, 1],
  [{ image: [DATA, 'https://a.test/1.png'], mask: '' }, 2],
  [{ 'image[]': [{ image_url: DATA }], images: [DATA, [DATA, null]], mask: { image_url: DATA } }, 4],
  [{ image: [] }, 0],
])('images in a JSON body count like those of a form: %j', (members, count) => {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', prompt: 'x', ...members }))
  expect(countInput('image-edits', readAsk('image-edits', bytes))).toMatchObject({
    mediaTokens: LIKELY * count,
    mediaTokensMax: MOST * count,
  })
})

it('a form may contain an image by its URL beside its files', () => {
  const bytes = Buffer.from(
    part('name="model"', 'm') +
      part('name="prompt"', 'x') +
      part('name="image[]"; filename="a"', 'GIF89a') +
      part('name="images"', 'https://a.test/1.png') +
      '--b--',
  )
  const contentType = 'multipart/form-data; boundary=b'
  const ask = readFormAsk({ operation: 'image-edits', bytes, contentType, defaults: {} })
  expect(countInput('image-edits', ask).mediaTokensMax).toBe(2 * MOST)
})

function part(head: string, value: string): string {
  return `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}\r\n`
}
