import { defineProvider, names } from './define/define-provider.ts'
import { arkUpstream } from './tasks/ark.ts'

/** Seedance video generation. https://www.volcengine.com/docs/82379/1520757 */
export const doubaoVideo = defineProvider({
  id: 'doubao-video',
  type: 54,
  label: 'Doubao Video',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  tasks: arkUpstream,
  models: names(`
    doubao-seedance-1-0-pro-250528 doubao-seedance-1-0-lite-t2v doubao-seedance-1-0-lite-i2v
    doubao-seedance-1-5-pro-251215 doubao-seedance-2-0-260128 doubao-seedance-2-0-fast-260128`),
})
