import { z } from 'zod'
import type { Words } from './options/definition.ts'

/** Who gets alerts: any number of receivers of each kind, with the fields that a kind needs. */

export const RECEIVER_KINDS = [
  'mail',
  'feishu',
  'dingtalk',
  'wecom',
  'slack',
  'telegram',
  'bark',
  'ntfy',
  'webhook',
] as const
export type ReceiverKind = (typeof RECEIVER_KINDS)[number]

export const RECEIVER_NAME_CHARACTERS_MAX = 64
export const RECEIVERS_MAX = 50
const FIELD_CHARACTERS_MAX = 2048

/** Of a field: what may be entered. */
type FieldForm = 'address' | 'email' | 'text'

export interface ReceiverField {
  readonly label: Words
  readonly help: Words
  readonly form: FieldForm
  /** Stored encrypted, never part of a response. */
  readonly isSecret: boolean
  readonly isRequired: boolean
  readonly default: string
}

interface ReceiverForm {
  readonly title: Words
  readonly fields: Readonly<Record<string, ReceiverField>>
}

type About = Pick<ReceiverField, 'label' | 'help'> & Partial<ReceiverField>

const plain = (about: About): ReceiverField => ({
  form: 'text',
  isSecret: false,
  isRequired: true,
  default: '',
  ...about,
})
const secret = (about: About): ReceiverField => plain({ isSecret: true, ...about })
const webhook = (help: Words): ReceiverField =>
  secret({ form: 'address', label: { en: 'Webhook URL', zh: 'Webhook 地址' }, help })

/** Each field by its name in `fields` of a receiver. */
export const receiverForms: Readonly<Record<ReceiverKind, ReceiverForm>> = {
  mail: {
    title: { en: 'Email', zh: '邮件' },
    fields: {
      to: plain({
        form: 'email',
        label: { en: 'Address', zh: '邮箱地址' },
        help: {
          en: 'Gets alerts from the mail server in the settings.',
          zh: '通过系统设置中的邮件服务器接收告警。',
        },
      }),
    },
  },
  feishu: {
    title: { en: 'Feishu', zh: '飞书' },
    fields: {
      url: webhook({
        en: 'From the custom bot of a Feishu or Lark group.',
        zh: '飞书群自定义机器人的地址。',
      }),
      secret: secret({
        isRequired: false,
        label: { en: 'Signing secret', zh: '签名密钥' },
        help: { en: 'Only if the bot verifies signatures.', zh: '仅当机器人启用签名校验时填写。' },
      }),
    },
  },
  dingtalk: {
    title: { en: 'DingTalk', zh: '钉钉' },
    fields: {
      url: webhook({ en: 'From the custom bot of a DingTalk group.', zh: '钉钉群自定义机器人的地址。' }),
      secret: secret({
        isRequired: false,
        label: { en: 'Signing secret', zh: '加签密钥' },
        help: { en: 'Begins with SEC; requests are signed with it.', zh: '以 SEC 开头，用于对请求加签。' },
      }),
    },
  },
  wecom: {
    title: { en: 'WeCom', zh: '企业微信' },
    fields: {
      url: webhook({
        en: 'Created under “group bots” in the settings of a chat.',
        zh: '在群聊设置的“群机器人”中添加后获得。',
      }),
    },
  },
  slack: {
    title: { en: 'Slack', zh: 'Slack' },
    fields: {
      url: webhook({ en: 'An incoming webhook of your workspace.', zh: '工作区的 Incoming Webhook 地址。' }),
    },
  },
  telegram: {
    title: { en: 'Telegram', zh: 'Telegram' },
    fields: {
      token: secret({
        label: { en: 'Bot token', zh: '机器人令牌' },
        help: {
          en: 'From @BotFather. The bot must be in the chat.',
          zh: '由 @BotFather 提供，机器人须在会话中。',
        },
      }),
      chat: plain({
        label: { en: 'Chat ID', zh: '会话 ID' },
        help: { en: 'The number of a chat, or @channel.', zh: '会话的数字 ID，或 @频道名。' },
      }),
      url: plain({
        form: 'address',
        default: 'https://api.telegram.org',
        label: { en: 'API address', zh: 'API 地址' },
        help: { en: 'Only for an API server of your own.', zh: '仅在使用自建 API 服务器时修改。' },
      }),
    },
  },
  bark: {
    title: { en: 'Bark', zh: 'Bark' },
    fields: {
      url: secret({
        form: 'address',
        label: { en: 'Push URL', zh: '推送地址' },
        help: {
          en: 'With your device key: https://api.day.app/KEY',
          zh: '包含设备密钥：https://api.day.app/KEY',
        },
      }),
    },
  },
  ntfy: {
    title: { en: 'ntfy', zh: 'ntfy' },
    fields: {
      url: secret({
        form: 'address',
        label: { en: 'Topic URL', zh: '主题地址' },
        help: { en: 'For example https://ntfy.sh/your-topic', zh: '例如 https://ntfy.sh/your-topic' },
      }),
      token: secret({
        isRequired: false,
        label: { en: 'Access token', zh: '访问令牌' },
        help: { en: 'Only for a protected topic.', zh: '仅在主题受保护时填写。' },
      }),
    },
  },
  webhook: {
    title: { en: 'Webhook', zh: 'Webhook' },
    fields: {
      url: webhook({ en: 'Gets each alert as JSON by POST.', zh: '以 POST 方式接收 JSON 格式的告警。' }),
      secret: secret({
        isRequired: false,
        label: { en: 'Signing secret', zh: '签名密钥' },
        help: {
          en: 'The header x-webhook-signature is the HMAC-SHA-256 of the body with it.',
          zh: '请求头 x-webhook-signature 为使用该密钥计算的正文 HMAC-SHA-256。',
        },
      }),
    },
  },
}

export const receiverFieldsSchema = z.record(z.string().max(32), z.string().trim().max(FIELD_CHARACTERS_MAX))
export type ReceiverFields = z.output<typeof receiverFieldsSchema>

export const receiverNameSchema = z.string().trim().min(1).max(RECEIVER_NAME_CHARACTERS_MAX)

/** As it is stored, with its secrets. */
export const storedReceiverSchema = z.object({
  id: z.string().regex(/^[\w-]{1,40}$/),
  name: receiverNameSchema,
  kind: z.enum(RECEIVER_KINDS),
  fields: receiverFieldsSchema,
})
export type StoredReceiver = z.output<typeof storedReceiverSchema>

/** The name of the first field that is missing, not allowed, or unknown to the kind. */
export function faultyField(kind: ReceiverKind, fields: ReceiverFields): string | undefined {
  const { fields: known } = receiverForms[kind]
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) return unknown
  return Object.entries(known).find(([name, field]) => !isAllowed(field, fields[name] ?? ''))?.[0]
}

export function isAllowed({ form, isRequired }: ReceiverField, text: string): boolean {
  if (text === '') return !isRequired
  if (form === 'email') return z.email().safeParse(text).success
  if (form === 'address') return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
  return true
}
