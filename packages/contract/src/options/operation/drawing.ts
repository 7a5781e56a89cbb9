import { toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const drawingSection = section({
  key: 'drawing',
  title: { en: 'Drawing and tasks', zh: '绘图与任务设置' },
  purpose: { en: 'Pictures and songs made by upstreams.', zh: '上游的绘图与音乐任务。' },
  settings: {
    DrawingEnabled: toggle(true, {
      label: { en: 'Drawing', zh: '启用绘图功能' },
      help: { en: 'Shows the page “Drawing log” in the menu.', zh: '在菜单中显示“绘图日志”页面。' },
    }),
    TaskEnabled: toggle(true, {
      label: { en: 'Tasks', zh: '启用任务功能' },
      help: { en: 'Shows the page “Task log” in the menu.', zh: '在菜单中显示“任务日志”页面。' },
    }),
    MjNotifyEnabled: toggle(false, {
      label: { en: 'Callbacks', zh: '允许回调' },
      help: {
        en: 'Upstreams report finished pictures to the server address; off, the gateway only asks them from time to time.',
        zh: '上游完成绘图后回调服务器地址；关闭时仅由本站定期查询。',
      },
    }),
    MjAccountFilterEnabled: toggle(false, {
      label: { en: 'Account filter', zh: '允许 AccountFilter 参数' },
      help: {
        en: 'Callers may choose the account of the upstream that draws (accountFilter). Off: the field is removed.',
        zh: '允许调用者用 accountFilter 指定上游的绘图账号；关闭后该参数会被移除。',
      },
    }),
    MjForwardUrlEnabled: toggle(true, {
      label: { en: 'Serve images itself', zh: '开启后对图片地址进行转发' },
      help: {
        en: 'Pictures are handed out through this gateway, without the address of the upstream.',
        zh: '图片经由本站提供，不暴露上游的地址。',
      },
    }),
    MjModeClearEnabled: toggle(false, {
      label: { en: 'Remove speed switches', zh: '清除提示词中的速度参数' },
      help: {
        en: 'Removes --fast, --relax and --turbo from prompts, so that callers cannot choose a more expensive speed.',
        zh: '从提示词中移除 --fast、--relax 和 --turbo，避免调用者自行选择更贵的速度。',
      },
    }),
    MjActionCheckSuccessEnabled: toggle(true, {
      label: { en: 'Wait for success', zh: '检测必须等待绘图成功' },
      help: {
        en: 'Upscaling and variations are refused until the first picture is finished.',
        zh: '首张图片完成之前，拒绝放大、变换等后续操作。',
      },
    }),
  },
})
