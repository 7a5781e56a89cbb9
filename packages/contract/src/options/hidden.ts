import { withoutEffect, type Words } from './definition.ts'
import { integer } from './kinds.ts'
import { section } from './section.ts'

const permission = (label: Words) => integer(0, { min: 0, max: 100, label, ...withoutEffect })

/** Settings that no form shows. They can be imported, and read through the API. */
export const hiddenSection = section({
  key: 'unshown',
  title: { en: 'Not shown', zh: '不显示' },
  purpose: { en: 'Kept for imports and older consoles.', zh: '仅为导入和旧版控制台保留。' },
  settings: {
    FileUploadPermission: permission({ en: 'File upload', zh: '文件上传权限' }),
    FileDownloadPermission: permission({ en: 'File download', zh: '文件下载权限' }),
    ImageUploadPermission: permission({ en: 'Image upload', zh: '图片上传权限' }),
    ImageDownloadPermission: permission({ en: 'Image download', zh: '图片下载权限' }),
  },
})
