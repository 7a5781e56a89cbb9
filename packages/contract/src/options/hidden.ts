import { z } from 'zod'
import { RECEIVERS_MAX, type StoredReceiver, storedReceiverSchema } from '../alert-receivers.ts'
import { listText } from './json-kinds.ts'
import { define, withoutEffect, type Words } from './definition.ts'
import { integer } from './kinds.ts'
import { section } from './section.ts'

const permission = (label: Words) => integer(0, { min: 0, max: 100, label, ...withoutEffect })

/** Edited through the routes of `alert.ts`; as one setting, because all of it is stored encrypted. */
const alertReceivers = define<readonly StoredReceiver[]>({
  kind: 'secret',
  default: '',
  about: {
    label: { en: 'Receivers of alerts', zh: '告警接收方' },
    help: { en: 'Who gets alerts.', zh: '接收告警的对象。' },
  },
  allowed: { en: 'a JSON list of receivers', zh: '接收方的 JSON 列表' },
  schema: listText(z.array(storedReceiverSchema).max(RECEIVERS_MAX)),
  print: (receivers) => (receivers.length === 0 ? '' : JSON.stringify(receivers)),
})

/** Settings that no form of settings shows: of older consoles, and one that has a list of its own. */
export const hiddenSection = section({
  key: 'unshown',
  title: { en: 'Not shown', zh: '不显示' },
  purpose: {
    en: 'Kept for imports and older consoles, or edited elsewhere.',
    zh: '仅为导入和旧版控制台保留，或在别处编辑。',
  },
  settings: {
    AlertReceivers: alertReceivers,
    FileUploadPermission: permission({ en: 'File upload', zh: '文件上传权限' }),
    FileDownloadPermission: permission({ en: 'File download', zh: '文件下载权限' }),
    ImageUploadPermission: permission({ en: 'Image upload', zh: '图片上传权限' }),
    ImageDownloadPermission: permission({ en: 'Image download', zh: '图片下载权限' }),
  },
})
