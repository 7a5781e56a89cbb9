import { readXaiUsage } from '@tollgate/dialects/openai-usage'
import { keyLike } from './define/credentials.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { editImages, maskOf } from './define/edit-images.ts'
import { openai, openaiChat, openaiImageEdits, openaiImages } from './define/openai.ts'
import { onBody, omit, onlyMembers, type Body } from './quirks/body.ts'
import { effortSuffix, modelSuffix } from './quirks/model-suffix.ts'
import { membersByTraits } from './quirks/openai-traits.ts'

const PICTURE = ['model', 'prompt', 'n', 'response_format'] as const

/** https://docs.x.ai/docs/api-reference */
export const xai = defineProvider({
  id: 'xai',
  type: 48,
  label: 'xAI',
  baseUrl: 'https://api.x.ai',
  credentials: keyLike('xai-…'),
  endpoints: {
    ...openai(['responses'], (path) => ({ path, hasSocket: true })),
    images: [openaiImages({ quirks: [onlyMembers(...PICTURE)] })],
    'image-edits': [
      openaiImageEdits({
        takesForms: false,
        quirks: [onBody(asEdit), onlyMembers(...PICTURE, 'image', 'images', 'mask')],
      }),
    ],
    chat: [
      openaiChat({
        quirks: [
          // The vendor removed search from this endpoint; the suffix is still removed, so that the model is
          // found.
          modelSuffix({ models: /^grok-/, suffixes: { search: (body) => body } }),
          effortSuffix(/^grok-3-mini/, ['high', 'medium', 'low']),
          ...membersByTraits,
        ],
        readUsage: readXaiUsage,
      }),
    ],
  },
  models: names(`
    grok-4-1-fast-reasoning grok-4-1-fast-non-reasoning grok-code-fast-1 grok-4-fast-reasoning
    grok-4-fast-non-reasoning grok-4-0709 grok-3-mini grok-3-mini-high grok-3-mini-low grok-3 grok-2-vision-1212
    grok-3-beta grok-3-mini-beta grok-3-fast-beta grok-3-mini-fast-beta grok-2 grok-2-vision grok-beta
    grok-vision-beta
  `),
  modelList: openaiModels(),
})

/**
 * The vendor accepts JSON only, with each image as an object: `image` for one, `images` for several.
 * https://docs.x.ai/developers/model-capabilities/images
 */
function asEdit(body: Body): Body {
  const [first, ...more] = editImages(body).map(atUrl)
  const mask = maskOf(body)
  const others = omit(body, 'image', 'image[]', 'images', 'mask')
  const pictures = more.length === 0 ? { image: first } : { images: [first, ...more] }
  return { ...others, ...pictures, ...(mask !== undefined && { mask: atUrl(mask) }) }
}

function atUrl(url: string): Body {
  return { url, type: 'image_url' }
}
