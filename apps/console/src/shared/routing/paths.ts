/** Addresses that features use to link to each other. A feature's own address is in its `feature.ts`. */
export const paths = {
  home: '/',
  setup: '/setup',
  login: '/login',
  register: '/register',
  reset: '/reset',
  resetConfirm: '/user/reset',
  undoEmail: '/user/undo-email',
  signedInAgain: '/user/signed-in',
  signInReturn: '/oauth/$provider',
  personal: '/personal',
  about: '/about',
  pricing: '/pricing',
  pricingModel: '/pricing/model',
  chat: '/chat/{-$index}',
  playground: '/playground',
  tokens: '/token',
  connect: '/connect',
  dashboard: '/detail',
  usageLog: '/log',
  callSessions: '/session',
  drawingLog: '/midjourney',
  taskLog: '/task',
  channels: '/channel',
  users: '/user',
  audit: '/audit',
  jobs: '/job',
  operations: '/operations',
  settings: '/setting',
} as const

/** Public pages that are the same for everybody: a reader whose session expires stays on them. */
export const publicPaths: ReadonlySet<string> = new Set([
  paths.home,
  paths.about,
  paths.pricing,
  paths.pricingModel,
])
