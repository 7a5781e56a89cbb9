import { recordAt, textAt } from '@tollgate/dialects/json'
import type { ChunkAdjustment } from '@tollgate/dialects/openai/transform'
import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openai, openaiChat } from './define/openai.ts'
import { onBody, onlyMembers, renameMember, type Body } from './quirks/body.ts'
import { flattenContent } from './quirks/flatten-content.ts'
import { onlyMessageMembers, onParts } from './quirks/messages.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'
import { typedCalls } from './quirks/typed-calls.ts'

const adjusted: ChunkAdjustment = {
  marks: [flattenContent, typedCalls].flatMap(({ marks = [] }) => marks),
  apply: (answer) => typedCalls.apply(flattenContent.apply(answer)),
}

/** https://docs.mistral.ai/api */
export const mistral = defineProvider({
  id: 'mistral',
  type: 42,
  label: 'Mistral',
  baseUrl: 'https://api.mistral.ai',
  endpoints: {
    ...openai(['embeddings']),
    chat: [
      openaiChat({
        quirks: [
          olderOutputLimit,
          renameMember('seed', 'random_seed'),
          onlyMembers(
            ...names(`
            model stream messages temperature top_p max_tokens tools tool_choice response_format
            stop random_seed presence_penalty frequency_penalty parallel_tool_calls prompt_mode
            safe_prompt n
          `),
          ),
          onBody((body) => (body['tool_choice'] === 'required' ? { ...body, tool_choice: 'any' } : body)),
          onlyMessageMembers('role', 'content', 'tool_calls', 'tool_call_id'),
          onParts(withPlainImage),
        ],
        streamOptions: false,
        adjustAnswer: adjusted.apply,
        adjustChunk: adjusted,
      }),
    ],
  },
  models: names(`
    open-mistral-7b open-mixtral-8x7b mistral-small-latest mistral-medium-latest mistral-large-latest mistral-embed
  `),
  modelList: openaiModels(),
})

/** The vendor expects the image address as a text and not as an object. */
function withPlainImage(part: Body): Body {
  const url = textAt(recordAt(part, 'image_url') ?? {}, 'url')
  return url === undefined ? part : { ...part, image_url: url }
}
