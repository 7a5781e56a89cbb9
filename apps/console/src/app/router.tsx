import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useMatches,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Feature } from '../shared/routing/feature.ts'
import { parseSearch, stringifySearch, withoutDefaults } from '../shared/routing/search.ts'
import { sessionUser, useSessionUser } from '../shared/session/session.ts'
import { features } from './features.ts'
import { requireSignIn, requireSetup } from './guards.ts'
import { loadChunk } from './load-chunk.ts'
import { CrashPage } from './pages/crash-page.tsx'
import { ForbiddenPage } from './pages/forbidden-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { PendingPage } from './pages/pending-page.tsx'
import { DefaultPasswordHost } from './shell/default-password/default-password-host.tsx'
import { mayOpen } from './shell/menu-items.ts'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Root, beforeLoad: requireSetup })

/** One route for each feature. Its code is loaded when the page is first opened or its link is pointed at. */
export const router = createRouter({
  routeTree: root.addChildren(features.map(routeOf)),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: CrashPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
})

/**
 * Starts loading the code of the page at an address at once, while the setup status is still being requested.
 * Does nothing for a page whose reader must sign in first.
 */
export function preloadPage(path: string): void {
  const [, , route] = router.getMatchedRoutes(path)
  const feature: Feature | undefined = route?.options.staticData?.feature
  if (feature === undefined || !mayOpen(feature, sessionUser())) return
  // If the page cannot be loaded, the error is shown when the page is opened.
  void loadPage(feature).catch(() => undefined)
}

function routeOf(feature: Feature) {
  return createRoute({
    getParentRoute: () => root,
    path: feature.path,
    staticData: { feature },
    validateSearch: (search: Record<string, unknown>) =>
      feature.search === undefined ? search : withoutDefaults(feature.search, search),
    beforeLoad: ({ location }) => requireSignIn(feature, location.href),
    component: lazyRouteComponent(() => loadChunk(() => loadPage(feature))),
  })
}

/**
 * A page that uses the component library is loaded together with the library and rendered inside its
 * provider.
 */
async function loadPage(feature: Feature): Promise<{ default: ComponentType }> {
  if (feature.needsLibrary === false) return feature.load()
  const [page, library] = await Promise.all([
    feature.load(),
    import('../shared/design/component-library.tsx'),
  ])
  const { ComponentLibrary } = library
  const Page = page.default
  return {
    default: () => (
      <ComponentLibrary>
        <Page />
      </ComponentLibrary>
    ),
  }
}

function Root() {
  const current = useMatches({ select: (matches) => matches.at(-1)?.staticData.feature })
  const user = useSessionUser()
  return (
    <Shell features={features} current={current}>
      {current === undefined || mayOpen(current, user) ? (
        <Page feature={current} />
      ) : (
        <ForbiddenPage access={current.access} />
      )}
    </Shell>
  )
}

function Page({ feature }: { readonly feature: Feature | undefined }) {
  if (feature === undefined || feature.access === 'public') return <Outlet />
  return (
    <DefaultPasswordHost>
      <Outlet />
    </DefaultPasswordHost>
  )
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly feature?: Feature
  }
}
