import { recordAt, textAt } from '@tollgate/dialects/json'
import { onlyOnePicture } from '../build/one-picture.ts'
import { sidesOf } from '../build/ratio.ts'
import { omit, type Body } from '../quirks/body.ts'

const SAID_OTHERWISE = [
  'model',
  'n',
  'size',
  'quality',
  'response_format',
  'output_format',
  'background',
  'moderation',
  'stream',
  'partial_images',
  'style',
  'user',
]

/** The smallest of the family draws squares alone. */
const SQUARES = /flux-1-schnell/

/** Words of the vendor's own, such as `steps`, go on as they are. https://developers.cloudflare.com/workers-ai/models/ */
export function writePicture(body: Body): Body {
  onlyOnePicture(body)
  const { model, size } = { model: textAt(body, 'model') ?? '', size: textAt(body, 'size') ?? '' }
  const [width, height] = SQUARES.test(model) || size.includes(':') ? [] : (sidesOf(size) ?? [])
  return { ...omit(body, ...SAID_OTHERWISE), ...(width !== undefined && { width, height }) }
}

/** Some models tell the picture in JSON; those that answer with its bytes need no reading. */
export function readPicture(answer: Record<string, unknown>): Record<string, unknown> {
  const image = textAt(recordAt(answer, 'result') ?? {}, 'image')
  return image === undefined ? answer : { created: 0, data: [{ b64_json: image }] }
}
