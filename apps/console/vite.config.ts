import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { chunkGroups } from './build/chunks.ts'
import { contractData } from './build/contract-data.ts'
import { designTokens, preloadFonts } from './build/design-tokens.ts'

/**
 * `TOLLGATE_SERVER` points the development proxy at another server than the one that `npm run dev` starts.
 */
export default defineConfig(({ mode }) => {
  const server = loadEnv(mode, '.', 'TOLLGATE_')['TOLLGATE_SERVER'] ?? 'http://127.0.0.1:3000'
  const proxy = { '/api': server, '/v1': server, '/pg': server }
  return {
    plugins: [react(), contractData(), designTokens(), preloadFonts()],
    server: { port: 5173, proxy },
    preview: { port: 4173, proxy },
    build: {
      target: 'es2023',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 700,
      // The test of script budgets reads the manifest to see which file imports which.
      manifest: true,
      license: { fileName: 'licences.md' },
      rolldownOptions: {
        treeshake: { moduleSideEffects: [{ test: /@(rc-component|ant-design)[\\/]/, sideEffects: false }] },
        output: { codeSplitting: { groups: chunkGroups } },
      },
    },
  }
})
