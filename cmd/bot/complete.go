package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/setup"
)

// completions are what a shell offers.
type completions = func(cmd *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective)

// noFiles are values that are no files.
func noFiles(values ...string) completions {
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}

// complete has the shell offer a flag's values.
func complete(cmd *cobra.Command, flag string, values completions) {
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // a flag that does not exist, or twice: every run shows it
	}
}

// completeRest has the shell offer files only for what is a file.
func completeRest(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, has := cmd.GetFlagCompletionFunc(f.Name); has || strings.HasPrefix(kindOfValue(f), "FILE") || strings.HasPrefix(kindOfValue(f), "DIR") {
			return
		}
		complete(cmd, f.Name, noFiles())
	})
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = noFiles()
	}
	for _, below := range cmd.Commands() {
		completeRest(below)
	}
}

// completeList is for a flag with several values, separated by commas.
func completeList(values ...string) completions {
	return func(_ *cobra.Command, _ []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
		given := toComplete[:strings.LastIndexByte(toComplete, ',')+1]
		var out []cobra.Completion
		for _, v := range values {
			if !slices.Contains(strings.Split(given, ","), v) {
				out = append(out, given+v)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeRule offers groups of rules, and the rules of the one that was begun.
func completeRule(_ *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []cobra.Completion
	for _, r := range rules.All() {
		if group := cobra.CompletionWithDesc(r.Group(), groupTitle(r.Group())); !slices.Contains(out, group) {
			out = append(out, group)
		}
		out = append(out, cobra.CompletionWithDesc(r.ID, r.Doc.Title))
	}
	return slices.DeleteFunc(out, func(s string) bool { return !strings.HasPrefix(s, toComplete) }), cobra.ShellCompDirectiveNoFileComp
}

// completeCommand offers what there is help about.
func completeCommand(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	about, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []cobra.Completion
	for _, c := range about.Commands() {
		if !c.Hidden {
			out = append(out, cobra.CompletionWithDesc(c.Name(), c.Short))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeValues has the shell offer what the flags of why can be.
func (o *whyOptions) completeValues(cmd *cobra.Command) {
	cmd.ValidArgsFunction = o.completeApp
	complete(cmd, "output", noFiles(formats...))
	complete(cmd, "color", noFiles(colors...))
	complete(cmd, "argocd-context", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		argoCD, _ := o.reach.Contexts()
		return argoCD, cobra.ShellCompDirectiveNoFileComp
	})
	complete(cmd, "kube-context", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		_, kubeconfig := o.reach.Contexts()
		return kubeconfig, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeApp offers the applications of the Argo CD that why would ask. Where it does not answer in time, there is nothing to offer.
func (o *whyOptions) completeApp(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const patience = 2 * time.Second
	o.take(cmd, args)
	if len(o.files) > 0 || o.takePages() != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), patience)
	defer cancel()
	connection, err := gateway.Connect(ctx, o.reach)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names, err := connection.Argo.Names(ctx)
	if err != nil {
		names = nil
	}
	_ = connection.Close() // the process ends
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(args, name) }), cobra.ShellCompDirectiveNoFileComp
}

// tlsKinds are the answers to --argocd-tls.
var tlsKinds = []string{setup.TLSOwn, setup.TLSVerify, setup.TLSInsecure, setup.PlainText}

// accountActions are those that need a right in Argo CD.
var accountActions = []string{config.ActionSync, config.ActionTerminate, config.ActionDeleteHookJob}
