// SPDX-License-Identifier: Apache-2.0
//
// JacORB's client of values.idl: the same checks under the same names as the other peers'. Main thread only.
package peer;

import InteropValues.Base;
import InteropValues.BaseHelper;
import InteropValues.Choice;
import InteropValues.Failed;
import InteropValues.Holder;
import InteropValues.InboundHelper;
import InteropValues.Pair;
import InteropValues.Titled;
import InteropValues.Tree;
import InteropValues.TreeHelper;
import InteropValues.TreeHolder;
import InteropValues.Wider;
import java.util.Arrays;
import java.util.List;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;

public final class ValuesClient {
  private final Report report;
  private final ORB orb;
  private final InteropValues.Exchange server;

  private ValuesClient(Report report, ORB orb, InteropValues.Exchange server) {
    this.report = report;
    this.orb = orb;
    this.server = server;
  }

  private static boolean alike(Object a, Object b) {
    return Exchange.same(a, b);
  }

  private void trees() {
    report.check("value_null", () -> {
      TreeHolder b = new TreeHolder();
      TreeHolder c = new TreeHolder();
      return server.echo_tree(null, b, c) == null && b.value == null && c.value == null ? "" : "not null";
    });
    report.check("value_tree", () -> {
      Tree a = Values.tree();
      TreeHolder b = new TreeHolder(new Values.TreeValue(99, null, null));
      TreeHolder c = new TreeHolder();
      Tree back = server.echo_tree(a, b, c);
      if (!alike(back, a) || !alike(b.value, a) || c.value.id != 99) return "other values";
      return back == b.value ? "" : "result and inout are not one value";
    });
    report.check("value_shared", () -> {
      Tree a = Values.tree();
      return server.same(a, a) && !server.same(a, Values.tree()) ? "" : "wrong answer";
    });
    report.check("value_ring", () -> {
      if (server.ring_length(Values.ring(5)) != 5) return "the server met another ring";
      return Values.ringLength(server.make_ring(7)) == 7 ? "" : "another ring came";
    });
  }

  private static String wrongWider(Object value) {
    if (!(value instanceof Wider w)) return "not a Wider";
    if (w.number != 7 || w.real != 1.5 || !w.tail.equals("tail")) return "other state";
    return alike(w.branch, Values.tree()) ? "" : "another tree";
  }

  private void bases() {
    report.check("value_derived", () -> {
      Wider a = new Values.WiderValue().made();
      String text = server.text_of(a);
      return text.equals("in") ? wrongWider(server.echo_base(a)) : "private state: " + text;
    });
    report.check("value_truncated_there", () -> wrongWider(server.echo_base(new Values.OutboundValue().made())));
    report.check("value_truncated_here", () -> wrongWider(server.make_inbound()));
    report.checkRaises("value_unknown", List.of("MARSHAL"), server::make_secret);
    report.check("value_sequence", () -> {
      Base twice = new Values.BaseValue();
      twice.number = 3;
      Base[] back = server.echo_bases(new Base[] {new Values.OutboundValue().made(), null, twice, twice});
      if (back.length != 4 || back[1] != null) return "other elements";
      return back[2].number == 3 && back[2] == back[3] ? wrongWider(back[0]) : "not one value twice";
    });
    report.check("value_attribute", () -> {
      Base a = new Values.BaseValue();
      a.number = 12;
      server.kept(a);
      return server.kept().number == 12 ? "" : "another value";
    });
  }

  private void others() {
    report.check("value_boxes", () -> {
      Pair pair = server.echo_pair(new Pair(1, 2.5));
      boolean right = server.echo_text("boxed").equals("boxed")
          && Arrays.equals(server.echo_longs(new int[] {0, 0, 33}), new int[] {0, 0, 33}) && pair.x == 1
          && pair.y == 2.5 && server.echo_text(null) == null;
      return right ? "" : "other content";
    });
    report.check("value_abstract", () -> {
      InteropValues.Square square = new Values.SquareValue().with(3);
      return server.area_of(square) == 9 && server.echo_shape(square).area() == 9 ? "" : "another area";
    });
    report.check("value_base", () -> alike(server.echo_value(Values.tree()), Values.tree()) ? "" : "another value");
    report.check("value_custom", () -> {
      InteropValues.Packed back = server.echo_packed(new Values.PackedValue().with(-5, "custom"));
      return back.number == -5 && back.text.equals("custom") ? "" : "other state";
    });
    report.check("value_abstract_interface", () -> {
      Titled label = new Values.LabelValue().with("a label");
      String title = server.title_of(label);
      if (!title.equals("a label")) return "title of the value: " + title;
      title = server.echo_titled(label).title();
      if (!title.equals("a label")) return "title of what came back: " + title;
      return server.echo_titled(server.where()).title().equals("a place") ? "" : "title of the object";
    });
    report.check("value_holder", () -> {
      Tree tree = Values.tree();
      Choice choice = new Choice();
      choice.branch(tree);
      Holder back = server.echo_holder(new Holder(tree, new Values.SquareValue().with(2), "in a struct",
          new Values.OutboundValue().made(), new Base[] {new Values.OutboundValue().made()}, choice, tree));
      boolean one = alike(back.root, tree) && back.root == back.again && back.chosen.discriminator() == 1
          && back.chosen.branch() == back.root;
      if (!one) return "the tree is not one value";
      if (back.form.area() != 4 || !back.box.equals("in a struct")) return "other members";
      String wrong = wrongWider(back.whatever);
      return wrong.isEmpty() ? wrongWider(back.bases[0]) : wrong;
    });
    report.check("value_exception", () -> {
      try {
        server.fail(Values.tree());
      } catch (Failed failed) {
        return alike(failed.cause, Values.tree()) && failed.why.equals("as asked") ? "" : "other members";
      }
      return "no exception";
    });
  }

  private void anys() {
    report.check("value_any", () -> {
      Tree tree = Values.tree();
      tree.left.left = tree;
      Any any = orb.create_any();
      TreeHelper.insert(any, tree);
      return alike(TreeHelper.extract(server.echo_any(any)), tree) ? "" : "another tree";
    });
    report.check("value_any_of_a_base", () -> {
      // What the Any's TypeCode says is less than what is in it.
      Any any = orb.create_any();
      BaseHelper.insert(any, new Values.WiderValue().made());
      return wrongWider(BaseHelper.extract(server.echo_any(any)));
    });
    report.check("value_any_made_there", () -> {
      Tree tree = TreeHelper.extract(server.make_any(false));
      return tree.id == 4 && tree.left == tree ? "" : "another tree";
    });
    report.check("value_any_passed_on", () -> {
      Any back = server.echo_any(server.make_any(true));
      return back.type().id().equals(InboundHelper.id()) ? "" : "another type";
    });
  }

  public static void main(String[] words) throws Exception {
    Options options = new Options(words);
    Options.endLate(300, 3);
    Report report = new Report(options.only);
    ORB orb = options.orb();
    Values.registerCommon(orb);
    ValuesClient client = new ValuesClient(report, orb,
        InteropValues.ExchangeHelper.narrow(orb.string_to_object(options.readReference())));
    client.trees();
    client.bases();
    client.others();
    client.anys();
    System.exit(report.summary());
  }
}
