import { recordAt, textAt } from '@tollgate/dialects/json'
import { names } from '../define/define-provider.ts'
import { requireSingleImage } from '../define/single-image.ts'
import { sidesOf } from '../define/ratio.ts'
import { omit, type Body } from '../quirks/body.ts'

const SAID_OTHERWISE = names(`
  model n size quality response_format output_format background moderation stream partial_images
  style user
`)

/** The smallest FLUX model generates only square images. */
const SQUARES = /flux-1-schnell/

/**
 * The vendor's own parameters, such as `steps`, are passed through.
 * https://developers.cloudflare.com/workers-ai/models/
 */
export function writePicture(body: Body): Body {
  requireSingleImage(body)
  const { model, size } = { model: textAt(body, 'model') ?? '', size: textAt(body, 'size') ?? '' }
  const [width, height] = SQUARES.test(model) || size.includes(':') ? [] : (sidesOf(size) ?? [])
  return { ...omit(body, ...SAID_OTHERWISE), ...(width !== undefined && { width, height }) }
}

/**
 * Some models return the image inside JSON, which is converted here. Models that return the bytes of the
 * image need no conversion.
 */
export function readPicture(answer: Record<string, unknown>): Record<string, unknown> {
  const image = textAt(recordAt(answer, 'result') ?? {}, 'image')
  return image === undefined ? answer : { created: 0, data: [{ b64_json: image }] }
}
