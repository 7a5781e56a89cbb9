import { anthropicBearer, anthropicMessages } from '../define/anthropic.ts'
import { recordAt, textAt } from '@tollgate/dialects/json'
import { defineProvider, names } from '../define/define-provider.ts'
import { openaiModels } from '../define/model-list.ts'
import { openaiChat, openaiImages, openaiSpeech } from '../define/openai.ts'
import { asPictures, fromPictures } from './pictures.ts'
import { asSpeech, readCharacters, speechIn } from './speech.ts'
import { onBody } from '../quirks/body.ts'
import { olderOutputLimit } from '../quirks/output-limit.ts'
import { hailuoUpstream } from '../tasks/hailuo.ts'

/** https://platform.minimaxi.com/document/ChatCompletion_v2 */
export const minimax = defineProvider({
  id: 'minimax',
  type: 35,
  label: 'MiniMax',
  baseUrl: 'https://api.minimax.chat',
  endpoints: {
    chat: [openaiChat({ path: '/v1/text/chatcompletion_v2', quirks: [olderOutputLimit] })],
    images: [
      openaiImages({
        path: '/v1/image_generation',
        quirks: [onBody(asPictures)],
        adjustAnswer: fromPictures,
      }),
    ],
    speech: [
      openaiSpeech({
        path: '/v1/t2a_v2',
        quirks: [onBody(asSpeech)],
        extractAudio: speechIn,
        readUsage: readCharacters,
      }),
    ],
    messages: [anthropicMessages({ path: '/anthropic/v1/messages', authHeaders: anthropicBearer })],
  },
  tasks: hailuoUpstream,
  models: names(`
    abab6.5-chat abab6.5s-chat abab6-chat abab5.5-chat abab5.5s-chat
    MiniMax-M2 MiniMax-M2.1 MiniMax-M2.1-highspeed MiniMax-M2.5 MiniMax-M2.5-highspeed
    MiniMax-M2.7 MiniMax-M2.7-highspeed
    MiniMax-Hailuo-2.3 MiniMax-Hailuo-02
  `),
  modelList: openaiModels(),
  // Errors come with status 200 and a `status_code` other than 0.
  errorInside: (answer) => {
    const result = recordAt(answer, 'base_resp')
    if (result === undefined || (result['status_code'] ?? 0) === 0) return undefined
    return textAt(result, 'status_msg') ?? 'the upstream reported a failure'
  },
})
