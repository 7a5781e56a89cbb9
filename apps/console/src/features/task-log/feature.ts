import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { taskSearchSchema } from './search.ts'

export const drawingLog = defineFeature({
  name: 'drawing-log',
  path: paths.drawingLog,
  access: 'user',
  layout: 'console',
  title: { en: 'Drawing log', zh: '绘图日志' },
  menu: { section: 'console', icon: 'image', order: 40, flag: 'enable_drawing' },
  search: taskSearchSchema,
  load: async () => ({ default: (await import('./drawings/drawing-log.tsx')).DrawingLog }),
})

export const taskLog = defineFeature({
  name: 'task-log',
  path: paths.taskLog,
  access: 'user',
  layout: 'console',
  title: { en: 'Task log', zh: '任务日志' },
  menu: { section: 'console', icon: 'task', order: 50, flag: 'enable_task' },
  search: taskSearchSchema,
  load: () => import('./page.tsx'),
})
