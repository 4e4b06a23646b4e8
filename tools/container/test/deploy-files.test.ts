import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { configurationOf, loadSettings, type ServerConfiguration, settingVariables } from "@loci/server";
import { afterAll, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const root = join(import.meta.dirname, "../../..");
const deploy = join(root, "deploy");
const folder = mkdtempSync(join(tmpdir(), "loci-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string): string => readFileSync(join(deploy, path), "utf8");

/** What the command line and clients read besides the settings of the server. */
const otherVariables = ["LOCI_API_KEY", "LOCI_SCOPES"];
/** The command in a container and in /opt/loci. */
const program = "apps/cli/bin/loci.js";

function configurationIn(toml: string): ServerConfiguration {
  const file = join(folder, "loci.toml");
  writeFileSync(file, toml);
  return configurationOf(loadSettings({ file, environment: {} }));
}

/** Words of a Dockerfile's instructions, those of continued lines joined. */
function instructions(text: string): readonly (readonly [name: string, rest: string])[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ")
    .split("\n");
  return lines.flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [[name, rest] as const];
  });
}

test("every LOCI_ variable that is named anywhere in deploy and in the guide is one that is read", () => {
  const files = globSync("**/*", { cwd: deploy, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("secrets"))
    .map((entry) => join(entry.parentPath, entry.name));
  const guide = join(root, "docs/guides/production.md");
  const named = [...files, ...(existsSync(guide) ? [guide] : [])].flatMap(
    (file) => readFileSync(file, "utf8").match(/\bLOCI_[A-Z_]+/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect([...settingVariables(), ...otherVariables]).toContain(name);
});

test("the settings can be used, and name what a machine is told to have", () => {
  const { listen, tls, telemetry, apiKeys, dataDirectory } = configurationIn(read("loci.toml"));
  expect(listen).toEqual({ address: "0.0.0.0", port: 5624 });
  expect(telemetry.prometheus?.port).toBe(9464);
  expect(tls?.certificateFile).toBe("/etc/loci/tls/tls.crt");
  expect(dataDirectory).toBe("/var/lib/loci");
  // A hash that no key has.
  expect(apiKeys.map(({ hash }) => hash)).toEqual([`sha256:${"0".repeat(64)}`]);
});

test("the container's file names files, scripts and commands that there are, and no root", () => {
  const steps = instructions(read("container/Dockerfile"));
  const of = (name: string): readonly string[] => steps.filter(([known]) => known === name).map(([, rest]) => rest);
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  expect(of("FROM").map((image) => image.split(" ")[0])).toEqual(["node:24-bookworm-slim", "node:24-bookworm-slim"]);
  expect(of("RUN").slice(0, 3)).toEqual([
    "npm ci --no-audit --no-fund",
    "npm run build",
    "node tools/container/collect.ts /opt/loci",
  ]);
  expect(Object.keys(scripts)).toContain("build");
  expect(existsSync(join(root, "tools/container/collect.ts"))).toBe(true);
  const copied = of("COPY").filter((words) => !words.startsWith("--from=") && words !== ". .");
  for (const words of copied) expect(existsSync(join(root, words.split(" ")[0] ?? ""))).toBe(true);
  expect(copied).toEqual(["deploy/container/loci /usr/local/bin/loci"]);
  expect(read("container/loci")).toContain(`/opt/loci/${program} "$@"`);
  expect(existsSync(join(root, program))).toBe(true);
  expect(of("USER")).toEqual(["10001:10001"]);
  expect(of("HEALTHCHECK")[0]).toMatch(/CMD \["loci", "health"\]$/);
  expect(of("CMD")).toEqual(['["serve", "--config", "/etc/loci/loci.toml"]']);
  expect(of("EXPOSE")).toEqual(["5624 9464"]);
});

test("what the container's build leaves out holds no credentials and nothing built", () => {
  const patterns = read("container/Dockerfile.dockerignore").trim().split("\n");
  for (const pattern of ["**/node_modules", "**/dist", "**/.env", ".git"]) expect(patterns).toContain(pattern);
});

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: { readonly context: string; readonly dockerfile: string };
        readonly read_only?: boolean;
        readonly cap_drop?: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
        readonly secrets?: readonly string[];
        readonly volumes?: readonly string[];
        readonly depends_on?: Readonly<Record<string, unknown>>;
      }
    >
  >;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

test("the compose file names files that are there or that prepare.sh makes", () => {
  const { services, secrets, volumes } = parse(read("compose/compose.yaml")) as Compose;
  const script = read("compose/prepare.sh");
  for (const { file } of Object.values(secrets)) expect(script).toContain(`>${file.slice(2)}`);
  const { loci, database } = services;
  expect(existsSync(join(deploy, "compose", loci?.build?.context ?? "", loci?.build?.dockerfile ?? ""))).toBe(true);
  expect([loci?.read_only, loci?.cap_drop]).toEqual([true, ["ALL"]]);
  for (const service of [loci, database]) {
    for (const name of service?.secrets ?? []) expect(Object.keys(secrets)).toContain(name);
    for (const volume of service?.volumes ?? []) {
      const [source = ""] = volume.split(":");
      expect([source, source.startsWith("./") ? script.includes(source.slice(2)) : source in volumes]).toEqual([
        source,
        true,
      ]);
    }
  }
  for (const value of Object.values(loci?.environment ?? {})) {
    expect(Object.keys(secrets)).toContain(basename(value));
    expect(dirname(value)).toBe("/run/secrets");
  }
  expect(Object.keys(services)).toEqual(["database", ...Object.keys(loci?.depends_on ?? {}).map(() => "loci")]);
});

interface Container {
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string }[];
  readonly securityContext: object;
  readonly startupProbe: { readonly exec: { readonly command: readonly string[] } };
  readonly readinessProbe: { readonly exec: { readonly command: readonly string[] } };
  readonly livenessProbe: { readonly tcpSocket: { readonly port: string } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Resource {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly ports?: readonly { readonly targetPort: string; readonly port: number }[];
    readonly template?: {
      readonly spec: {
        readonly securityContext: object;
        readonly automountServiceAccountToken: boolean;
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

test("the Kubernetes example is sound: its settings, ports, probes, volumes and what the container may not do", () => {
  const documents = parseAllDocuments(read("kubernetes/loci.yaml"));
  for (const { errors, warnings } of documents) expect([...errors, ...warnings]).toEqual([]);
  const resources = documents.map((document) => document.toJS() as Resource);
  expect(resources.map(({ kind }) => kind)).toEqual(["ConfigMap", "Service", "StatefulSet"]);
  const [settings, service, set] = resources;
  const configuration = configurationIn(settings?.data?.["loci.toml"] ?? "");
  const pod = set?.spec?.template?.spec;
  const container = pod?.containers[0];
  if (pod === undefined || container === undefined) throw new Error("there is no container");
  expect(container.ports.map(({ containerPort }) => containerPort)).toEqual([
    configuration.listen.port,
    configuration.telemetry.prometheus?.port,
  ]);
  const named = container.ports.map(({ name }) => name);
  for (const { targetPort } of service?.spec?.ports ?? []) expect(named).toContain(targetPort);
  expect(named).toContain(container.livenessProbe.tcpSocket.port);
  for (const probe of [container.startupProbe, container.readinessProbe])
    expect(probe.exec.command.slice(0, 2)).toEqual(["loci", "health"]);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  expect(pod.automountServiceAccountToken).toBe(false);
  const volumes = [
    ...pod.volumes.map(({ name }) => name),
    ...(set?.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
  ];
  expect(container.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
  const mounted = container.volumeMounts.map(({ mountPath }) => mountPath);
  for (const file of [configuration.tls?.certificateFile, configuration.tls?.privateKeyFile, container.args[2]])
    expect(mounted).toContain(dirname(file ?? ""));
});

test("the unit starts what the collected folder has, with variables that are read", () => {
  const unit = read("systemd/loci.service");
  const settings = new Map(
    unit
      .split("\n")
      .filter((line) => /^[A-Z]\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect(settings.get("ExecStart")).toBe(`/usr/bin/node /opt/loci/${program} serve --config /etc/loci/loci.toml`);
  expect(settings.get("User")).toBe("loci");
  expect(`/var/lib/${settings.get("StateDirectory")}`).toBe(configurationIn(read("loci.toml")).dataDirectory);
});

const hasAnalyzer = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasAnalyzer)("systemd finds nothing wrong with the unit", () => {
  // Node and the user stand elsewhere on the machine of a test.
  const unit = read("systemd/loci.service").replaceAll("/usr/bin/node", process.execPath);
  const file = join(folder, "loci.service");
  writeFileSync(file, unit);
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
  expect({ status, said: `${stdout}${stderr}`.replaceAll(/^.*(?:not found|No such file).*\n/gm, "") }).toEqual({
    status: 0,
    said: "",
  });
});

test("shells can read the scripts", () => {
  for (const script of ["compose/prepare.sh", "container/loci"])
    expect(spawnSync("sh", ["-n", join(deploy, script)]).status).toBe(0);
});
