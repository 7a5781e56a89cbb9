import { address } from '../address-kinds.ts'
import { secret } from '../kinds.ts'
import { section } from '../section.ts'

export const workerSection = section({
  key: 'worker',
  title: { en: 'Proxy worker', zh: '代理设置' },
  purpose: {
    en: 'A helper for connections this server should not make itself.',
    zh: '代替本服务器发起外部连接的辅助服务。',
  },
  // The worker sees webhooks and media and receives its key.
  isGuarded: true,
  settings: {
    WorkerUrl: address('', {
      label: { en: 'Worker address', zh: 'Worker 地址' },
      help: {
        en: 'A helper through which webhooks are sent and images are fetched. Empty: this gateway does it itself.',
        zh: '代为发送 Webhook 和下载图片的服务，留空则由网关自行处理。',
      },
    }),
    WorkerValidKey: secret({
      label: { en: 'Worker key', zh: 'Worker 密钥' },
      help: { en: 'Identifies this gateway to the worker.', zh: '网关访问 Worker 所用的密钥。' },
    }),
  },
})
