import { address, natsAddress } from '../address-kinds.ts'
import { secret, text } from '../kinds.ts'
import { section } from '../section.ts'

export const logSinksSection = section({
  key: 'log-sinks',
  title: { en: 'Usage log to other systems', zh: '使用日志外发' },
  purpose: {
    en: 'Sends a row of each call from now on, without texts and addresses. While a receiver is down the rows wait.',
    zh: '从现在起外发每次调用的记录，不含对话内容和 IP 地址。接收方不可用时，记录会等待发送。',
  },
  // A receiver learns who called what, and how much.
  isGuarded: true,
  settings: {
    LogWebhookUrl: address('', {
      label: { en: 'Webhook', zh: 'Webhook 地址' },
      help: {
        en: 'Receives {"rows": [...]} with at most 500 rows. Empty: off.',
        zh: '接收 {"rows": [...]}，每次最多 500 条。留空则关闭。',
      },
    }),
    LogWebhookSecret: secret({
      label: { en: 'Webhook secret', zh: 'Webhook 密钥' },
      help: {
        en: 'Signs the body with HMAC-SHA256 in the header x-webhook-signature.',
        zh: '用 HMAC-SHA256 对请求体签名，放在 x-webhook-signature 请求头中。',
      },
    }),
    LogS3Address: address('', {
      label: { en: 'S3 address for the log', zh: '日志 S3 地址' },
      help: {
        en: 'Server, bucket and folder; each minute an object such as 2026/11/24/1001-1500.jsonl.gz. Empty: off.',
        zh: '服务器、存储桶和目录；每分钟写入一个对象，例如 2026/11/24/1001-1500.jsonl.gz。留空则关闭。',
      },
    }),
    LogS3Region: text('us-east-1', 64, {
      label: { en: 'S3 region for the log', zh: '日志 S3 区域' },
      help: { en: 'As the store names it.', zh: '存储服务所使用的区域名称。' },
    }),
    LogS3Key: text('', 256, {
      label: { en: 'S3 access key for the log', zh: '日志 S3 访问密钥 ID' },
      help: { en: 'It needs the right to write objects in that folder.', zh: '需要该目录的写入权限。' },
    }),
    LogS3Secret: secret({
      label: { en: 'S3 secret for the log', zh: '日志 S3 访问密钥' },
      help: { en: 'Stored encrypted.', zh: '加密存储。' },
    }),
    LogNatsAddress: natsAddress({
      label: { en: 'NATS server', zh: 'NATS 服务器' },
      help: {
        en: 'nats://host:4222 or tls://host:4222. A JetStream stream must cover the subject. Empty: off.',
        zh: 'nats://host:4222 或 tls://host:4222。主题须由 JetStream 流覆盖。留空则关闭。',
      },
    }),
    LogNatsSubject: text('tollgate.calls', 200, {
      label: { en: 'NATS subject', zh: 'NATS 主题' },
      help: { en: 'Each row is one message of this subject.', zh: '每条记录作为该主题的一条消息发送。' },
    }),
    LogNatsUser: text('', 200, {
      label: { en: 'NATS user', zh: 'NATS 用户' },
      help: { en: 'Empty: no sign-in.', zh: '留空则不登录。' },
    }),
    LogNatsPassword: secret({
      label: { en: 'NATS password', zh: 'NATS 密码' },
      help: { en: 'Stored encrypted.', zh: '加密存储。' },
    }),
    LangfuseAddress: address('', {
      label: { en: 'Langfuse address', zh: 'Langfuse 地址' },
      help: {
        en: 'For example https://cloud.langfuse.com. Each call becomes a trace with one generation. Empty: off.',
        zh: '例如 https://cloud.langfuse.com。每次调用对应一条包含一个 generation 的 trace。留空则关闭。',
      },
    }),
    LangfusePublicKey: text('', 256, {
      label: { en: 'Langfuse public key', zh: 'Langfuse 公钥' },
      help: { en: 'Begins with pk-lf-.', zh: '以 pk-lf- 开头。' },
    }),
    LangfuseSecretKey: secret({
      label: { en: 'Langfuse secret key', zh: 'Langfuse 私钥' },
      help: { en: 'Begins with sk-lf-. Stored encrypted.', zh: '以 sk-lf- 开头，加密存储。' },
    }),
  },
})
