import { recordAt, textAt } from '@tollgate/dialects/json'
import { nearestRatio } from '../define/ratio.ts'
import type { Body } from '../quirks/body.ts'

const RATIOS = ['1:1', '16:9', '9:16', '3:2', '2:3', '4:3', '3:4', '21:9']

/** Writes an image request in the vendor's format. https://platform.minimaxi.com/document/image_generation */
export function asPictures(body: Body): Body {
  const { model, prompt, n, prompt_optimizer: optimizer, aigc_watermark: watermark } = body
  const ratio = nearestRatio(textAt(body, 'size'), RATIOS)
  return {
    model,
    prompt,
    response_format: body['response_format'] === 'b64_json' ? 'base64' : 'url',
    aspect_ratio: ratio,
    n,
    prompt_optimizer: optimizer,
    aigc_watermark: watermark,
  }
}

export function fromPictures(answer: Record<string, unknown>): Record<string, unknown> {
  const data = recordAt(answer, 'data')
  if (data === undefined) return answer
  const urls = texts(data['image_urls']).map((url) => ({ url }))
  const pictures = texts(data['image_base64']).map((bytes) => ({ b64_json: bytes }))
  return { created: 0, data: [...urls, ...pictures] }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
