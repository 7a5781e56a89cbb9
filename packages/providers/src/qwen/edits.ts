import { textAt } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { editImages, maskOf, refuseMask } from '../define/edit-images.ts'
import { openaiImageEdits, type OpenAiEndpoint } from '../define/openai.ts'
import type { Endpoint } from '../provider.ts'
import { onBody, type Body } from '../quirks/body.ts'
import { fromOrder, fromTurn, orderHeaders, orderState, orderWith, turnWith } from './pictures.ts'

/**
 * Image edits by prompt, with one or several input images. The endpoints below name the vendor's documents.
 */

/** Clients may send a form or JSON; the vendor accepts JSON only, with images by URL or as data URLs. */
const COMMON = { takesForms: false } as const satisfies OpenAiEndpoint

/** Before version 2.6 each Wan generation has its own member names for the input images. */
const OLDER_WAN = /^wan(?!-?(?:2\.(?:[6-9]|\d{2})|[3-9]))/

/** https://help.aliyun.com/zh/model-studio/wanx-image-edit-api-reference and …/wan2-5-image-edit-api-reference */
const olderWan: Endpoint = openaiImageEdits({
  ...COMMON,
  path: '/api/v1/services/aigc/image2image/image-synthesis',
  models: OLDER_WAN,
  authHeaders: orderHeaders,
  quirks: [onBody(asOlderEdit)],
  asyncJob: orderState,
  adjustAnswer: fromOrder,
})

/** https://www.alibabacloud.com/help/en/model-studio/wan-image-generation-api-reference */
const newerWan: Endpoint = openaiImageEdits({
  ...COMMON,
  path: '/api/v1/services/aigc/image-generation/generation',
  models: /^wan/,
  authHeaders: orderHeaders,
  quirks: [onBody(asTurn)],
  asyncJob: orderState,
  adjustAnswer: fromTurn,
})

/** Returns the image synchronously. https://help.aliyun.com/zh/model-studio/qwen-image-edit-api */
const atOnce: Endpoint = openaiImageEdits({
  ...COMMON,
  path: '/api/v1/services/aigc/multimodal-generation/generation',
  quirks: [onBody(asTurn)],
  adjustAnswer: fromTurn,
})

export const qwenEdits: readonly Endpoint[] = [olderWan, newerWan, atOnce]

function asTurn(body: Body): Body {
  refuseMask(body)
  return turnWith(body, editImages(body))
}

function asOlderEdit(body: Body): Body {
  const isByFunction = /^wanx.*edit/.test(textAt(body, 'model') ?? '')
  return orderWith(body, isByFunction ? byFunction(body) : byWords(body))
}

function byWords(body: Body): Body {
  refuseMask(body)
  return { images: editImages(body) }
}

/** Uses one base image; if there is a mask, only its white area is changed. */
function byFunction(body: Body): Body {
  const [base, ...more] = editImages(body)
  if (more.length > 0) throw problem('member_too_long', { param: 'image', max: 1 })
  const mask = maskOf(body)
  return {
    function: body['function'] ?? (mask === undefined ? 'description_edit' : 'description_edit_with_mask'),
    base_image_url: base,
    ...(mask !== undefined && { mask_image_url: mask }),
  }
}
