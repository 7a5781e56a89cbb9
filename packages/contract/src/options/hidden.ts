import { integer } from './kinds.ts'
import { section } from './section.ts'

const PERMISSION = { min: 0, max: 100 }

/** Settings that no form shows. They can be imported, and read through the API. */
export const hiddenSection = section({
  key: 'unshown',
  title: { en: 'Not shown', zh: '不显示' },
  purpose: { en: 'Kept for imports and older consoles.', zh: '仅为导入和旧版控制台保留。' },
  settings: {
    FileUploadPermission: integer(0, {
      ...PERMISSION,
      label: { en: 'File upload', zh: '文件上传权限' },
      help: {
        en: 'Kept for imports and older consoles; has no effect.',
        zh: '仅为导入和旧版控制台保留，不起作用。',
      },
      isWithoutEffect: true,
    }),
    FileDownloadPermission: integer(0, {
      ...PERMISSION,
      label: { en: 'File download', zh: '文件下载权限' },
      help: {
        en: 'Kept for imports and older consoles; has no effect.',
        zh: '仅为导入和旧版控制台保留，不起作用。',
      },
      isWithoutEffect: true,
    }),
    ImageUploadPermission: integer(0, {
      ...PERMISSION,
      label: { en: 'Image upload', zh: '图片上传权限' },
      help: {
        en: 'Kept for imports and older consoles; has no effect.',
        zh: '仅为导入和旧版控制台保留，不起作用。',
      },
      isWithoutEffect: true,
    }),
    ImageDownloadPermission: integer(0, {
      ...PERMISSION,
      label: { en: 'Image download', zh: '图片下载权限' },
      help: {
        en: 'Kept for imports and older consoles; has no effect.',
        zh: '仅为导入和旧版控制台保留，不起作用。',
      },
      isWithoutEffect: true,
    }),
  },
})
